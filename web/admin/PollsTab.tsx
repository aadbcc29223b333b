import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type AdminPoll, adminListsApi, POLL_COLUMNS } from '../../worker/contract/admin-lists'
import { adminPollsApi, OfficialPollDraft } from '../../worker/contract/admin-polls'
import { POLL_LIMITS } from '../../worker/contract/polls'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { usePollAction } from './admin-lists.queries'
import { useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { usePagedListing } from './useTableListing'

const count = new Intl.NumberFormat('en-US')
const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const STATE_LABELS = { open: 'Open', closed: 'Closed', hidden: 'Hidden' } as const
const columns: readonly Column<AdminPoll>[] = [
  { id: 'title', header: 'Poll', cell: (row) => <span className="wrap-anywhere">{row.title}</span> },
  { id: 'by', header: 'By', cell: (row) => (row.official ? 'The artist' : row.by || 'The house') },
  { id: 'state', header: 'State', cell: (row) => STATE_LABELS[row.state] },
  {
    id: 'ends',
    header: 'Ends',
    cell: (row) => <span className="figures">{clock.format(Date.parse(row.endDate))}</span>,
  },
  { id: 'votes', header: 'Votes', cell: (row) => count.format(row.votes), numeric: true },
]
const CONFIRM_TEXT = {
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

const fields: readonly FieldDefinition<OfficialPollDraft>[] = [
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
const fieldsAfterVotes = fields.filter(({ name }) => name === 'description' || name === 'lastDay')
const toDraft = ({ title, description, options, lastDay }: AdminPoll): OfficialPollDraft => ({
  title,
  description,
  options,
  lastDay,
})

/** Every poll, whoever made it: the artist's own are made and changed here, and any can be ended early or taken out of sight. */
export function PollsTab() {
  const [confirming, setConfirming] = useState<{ act: 'close' | 'hide'; poll: AdminPoll } | null>(null)
  const [open, setOpen] = useState<AdminPoll | 'new' | null>(null)
  const pollAction = usePollAction()
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: OfficialPollDraft }) =>
      id === null ? call(adminPollsApi.add, { body: draft }) : call(adminPollsApi.update, { id, body: draft }),
    ['polls'],
  )
  const showError = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })
  const show = ({ id, title }: AdminPoll) =>
    pollAction.mutate(
      { act: 'show', id },
      { onSuccess: () => toast({ title: 'Poll shown', text: title }), onError: showError },
    )
  const listing = usePagedListing({
    key: ['admin', 'polls'],
    endpoint: adminListsApi.polls,
    label: 'Search polls',
    sortableColumns: POLL_COLUMNS,
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
              <Button variant="quiet" aria-label={`Edit ${row.title}`} onClick={() => setOpen(row)}>
                <Pencil size={18} aria-hidden />
                Edit
              </Button>
            )}
            {row.state === 'open' && (
              <Button
                variant="quiet"
                aria-label={`Close ${row.title}`}
                onClick={() => setConfirming({ act: 'close', poll: row })}
              >
                Close
              </Button>
            )}
            {row.state !== 'hidden' && (
              <Button
                variant="quiet"
                aria-label={`Hide ${row.title}`}
                onClick={() => setConfirming({ act: 'hide', poll: row })}
              >
                Hide
              </Button>
            )}
            {row.state === 'hidden' && (
              <Button variant="quiet" aria-label={`Show ${row.title} again`} onClick={() => show(row)}>
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
          fields={open !== 'new' && open.votes > 0 ? fieldsAfterVotes : fields}
          values={open === 'new' ? { description: '', options: [] } : toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
      {confirming && (
        <ConfirmDialog
          title={CONFIRM_TEXT[confirming.act].title}
          confirm={CONFIRM_TEXT[confirming.act].confirm}
          pending={pollAction.isPending}
          onClose={() => setConfirming(null)}
          onConfirm={() =>
            pollAction.mutate(
              { act: confirming.act, id: confirming.poll.id },
              {
                onSuccess: () =>
                  toast({
                    title: CONFIRM_TEXT[confirming.act].done,
                    text: confirming.poll.title,
                    ...(confirming.act === 'hide' && {
                      action: { label: 'Undo', onPress: () => show(confirming.poll) },
                    }),
                  }),
                onError: showError,
                onSettled: () => setConfirming(null),
              },
            )
          }
        >
          <p className="wrap-anywhere">“{confirming.poll.title}”</p>
          <p className="mt-3">{CONFIRM_TEXT[confirming.act].text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
