import { useState } from 'react'
import { type DeskPoll, deskListsApi } from '../../worker/contract/desk-lists'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { usePollAct } from './desk-lists'
import { Panel } from './Panel'
import { usePages } from './useListing'

const count = new Intl.NumberFormat('en-US')
const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const STATE = { open: 'Open', closed: 'Closed', hidden: 'Hidden' } as const
const columns: readonly Column<DeskPoll>[] = [
  { id: 'title', header: 'Poll', cell: (row) => <span className="wrap-anywhere">{row.title}</span> },
  { id: 'by', header: 'By', cell: (row) => row.by || 'The house' },
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
    text: 'It is out of sight for good. Its votes and their points stay.',
  },
} as const

/** Every poll, whoever made it: one can be ended early, or taken out of sight. */
export function PollsTab() {
  const [asks, setAsks] = useState<{ act: 'close' | 'hide'; poll: DeskPoll } | null>(null)
  const act = usePollAct()
  const listing = usePages({ key: ['admin', 'polls'], endpoint: deskListsApi.polls, label: 'Search polls' })
  return (
    <Panel title="Polls" note="Supporters make them, on the page: so can you, with an account of your own.">
      <DataTable
        caption="Polls"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No poll yet."
        actions={(row) => (
          <>
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
          </>
        )}
      />
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
                onSuccess: () => toast({ title: WORDS[asks.act].done, text: asks.poll.title }),
                onError: ({ message }) => toast({ title: 'Not done', text: message, tone: 'destructive' }),
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
