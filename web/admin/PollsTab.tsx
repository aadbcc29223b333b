import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type DeskPoll, deskListsApi, POLL_COLUMNS } from '../../worker/contract/desk-lists'
import { OfficialPollDraft, officialPollsApi } from '../../worker/contract/official-polls'
import { POLL_LIMITS } from '../../worker/contract/polls'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { useSave } from './content.queries'
import { usePollAct } from './desk-lists'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldOf } from './RecordField'
import { usePages } from './useListing'

const count = new Intl.NumberFormat('en-US')
const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const STATE = { open: 'Open', closed: 'Closed', hidden: 'Hidden' } as const
const columns: readonly Column<DeskPoll>[] = [
  { id: 'title', header: 'Poll', cell: (row) => <span className="wrap-anywhere">{row.title}</span> },
  { id: 'by', header: 'By', cell: (row) => (row.official ? 'The artist' : row.by || 'The house') },
  { id: 'state', header: 'State', cell: (row) => STATE[row.state] },
  {
    id: 'ends',
    header: 'Ends',
    cell: (row) => <span className="figures">{clock.format(Date.parse(row.endDate))}</span>,
  },
  { id: 'votes', header: 'Votes', cell: (row) => count.format(row.votes), numeric: true },
]
const WORDS = {
  close: {
    title: 'Close this poll now?',
    confirm: 'Close the poll',
    done: 'Poll closed',
    text: 'Nobody votes from now on, and everybody sees how it ended.',
  },
  hide: {
    title: 'Hide this poll?',
    confirm: 'Hide the poll',
    done: 'Poll hidden',
    text: 'Nobody sees it any more. Its votes and their points stay, and it can be shown again.',
  },
} as const

const fields: readonly FieldOf<OfficialPollDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'description', label: 'Description', optional: true, wide: true, hint: 'A line under the title.' },
  {
    name: 'options',
    label: 'Options',
    kind: 'lines',
    hint: `One a line, ${POLL_LIMITS.options.min} to ${POLL_LIMITS.options.max} of them.`,
  },
  { name: 'lastDay', label: 'Last day', kind: 'date', hint: 'Open until it ends where the artist lives.' },
]
const afterVotes = fields.filter(({ name }) => name === 'description' || name === 'lastDay')
const draftOf = ({ title, description, options, lastDay }: DeskPoll): OfficialPollDraft => ({
  title,
  description,
  options,
  lastDay,
})

/** Every poll, whoever made it: the artist's own are made and changed here, and any can be ended early or taken out of sight. */
export function PollsTab() {
  const [asks, setAsks] = useState<{ act: 'close' | 'hide'; poll: DeskPoll } | null>(null)
  const [open, setOpen] = useState<DeskPoll | 'new' | null>(null)
  const act = usePollAct()
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: OfficialPollDraft }) =>
      id === null ? call(officialPollsApi.add, { body: draft }) : call(officialPollsApi.change, { id, body: draft }),
    ['polls'],
  )
  const failed = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })
  const show = ({ id, title }: DeskPoll) =>
    act.mutate({ act: 'show', id }, { onSuccess: () => toast({ title: 'Poll shown', text: title }), onError: failed })
  const listing = usePages({
    key: ['admin', 'polls'],
    endpoint: deskListsApi.polls,
    label: 'Search polls',
    sortedBy: POLL_COLUMNS,
  })
  return (
    <Panel
      title="Polls"
      note="The artist’s are made here, supporters’ on the page. A supporter’s poll keeps its words: it can be closed or hidden."
    >
      <DataTable
        caption="Polls"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No poll yet."
        tools={<Button onClick={() => setOpen('new')}>Add a poll</Button>}
        actions={(row) => (
          <>
            {row.state === 'open' && row.official && (
              <Button look="quiet" aria-label={`Edit ${row.title}`} onClick={() => setOpen(row)}>
                <Pencil size={18} aria-hidden />
                Edit
              </Button>
            )}
            {row.state === 'open' && (
              <Button
                look="quiet"
                aria-label={`Close ${row.title}`}
                onClick={() => setAsks({ act: 'close', poll: row })}
              >
                Close
              </Button>
            )}
            {row.state !== 'hidden' && (
              <Button look="quiet" aria-label={`Hide ${row.title}`} onClick={() => setAsks({ act: 'hide', poll: row })}>
                Hide
              </Button>
            )}
            {row.state === 'hidden' && (
              <Button look="quiet" aria-label={`Show ${row.title} again`} onClick={() => show(row)}>
                Show again
              </Button>
            )}
          </>
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new poll' : open.title}
          note={
            open !== 'new' && open.votes > 0
              ? 'Votes have been cast: the title and the options stay as they are.'
              : undefined
          }
          schema={OfficialPollDraft}
          fields={open !== 'new' && open.votes > 0 ? afterVotes : fields}
          values={open === 'new' ? { description: '', options: [] } : draftOf(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
      {asks && (
        <ConfirmDialog
          title={WORDS[asks.act].title}
          confirm={WORDS[asks.act].confirm}
          pending={act.isPending}
          onClose={() => setAsks(null)}
          onConfirm={() =>
            act.mutate(
              { act: asks.act, id: asks.poll.id },
              {
                onSuccess: () =>
                  toast({
                    title: WORDS[asks.act].done,
                    text: asks.poll.title,
                    ...(asks.act === 'hide' && { action: { label: 'Undo', onPress: () => show(asks.poll) } }),
                  }),
                onError: failed,
                onSettled: () => setAsks(null),
              },
            )
          }
        >
          <p className="wrap-anywhere">“{asks.poll.title}”</p>
          <p className="mt-3">{WORDS[asks.act].text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
