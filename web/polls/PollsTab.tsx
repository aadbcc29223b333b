import { useState } from 'react'
import { type AdminPoll, adminListsApi } from '../../worker/contract/admin'
import { adminPollsApi, OfficialPollDraft } from '../../worker/contract/admin-polls'
import { POLL_LIMITS, pollsApi } from '../../worker/contract/polls'
import { useAdminMutation } from '../admin/admin.queries'
import { PollPreview } from '../admin/lazy-previews'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { choiceFilter } from '../admin/list/list-definition'
import type { FieldDefinition } from '../admin/RecordField'
import { call } from '../api/call'
import { formatCount, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast, toastError } from '../ui/toast'

const STATE_LABELS = { open: 'Open', closed: 'Closed', hidden: 'Hidden' } as const
const CONFIRM_TEXT = {
  close: {
    title: (name: string) => `Close “${name}” now?`,
    confirm: 'Close the poll',
    done: 'Poll closed',
    failed: 'Poll not closed',
    text: 'Voting ends now, and everyone sees the result. This cannot be undone.',
  },
  hide: {
    title: (name: string) => `Hide “${name}”?`,
    confirm: 'Hide the poll',
    done: 'Poll hidden',
    failed: 'Poll not hidden',
    text: 'No one sees it after this. Its votes and points stay, and you can show it again.',
  },
} as const

const pollFields: readonly FieldDefinition<OfficialPollDraft>[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'description', label: 'Description', optional: true, wide: true, hint: 'A line under the title.' },
  {
    name: 'options',
    label: 'Options',
    kind: 'lines',
    hint: `One per line, ${POLL_LIMITS.options.min} to ${POLL_LIMITS.options.max} options.`,
  },
  {
    name: 'lastDay',
    label: 'Last day',
    kind: 'date',
    hint: 'The poll closes at the end of this day, in the artist’s time zone.',
  },
]
const hasVotes = (row: AdminPoll | null) => row !== null && row.votes > 0

const POLL_QUERY_KEYS = ['polls']
const sendAction =
  (action: 'close' | 'hide' | 'show') =>
  ({ id }: AdminPoll) =>
    call(pollsApi[action], { id })

const pollList: EditableListDefinition<'/api/admin/polls', AdminPoll, OfficialPollDraft> = {
  list: {
    name: 'polls',
    title: 'Polls',
    endpoint: adminListsApi.polls,
    searchLabel: 'Search polls by title',
    nameOf: (row) => row.title,
    columns: [
      { id: 'title', header: 'Poll', cell: (row) => <span className="wrap-anywhere">{row.title}</span>, sort: 'title' },
      { id: 'by', header: 'Author', cell: (row) => (row.official ? 'The artist' : row.by || 'Deleted account') },
      { id: 'state', header: 'State', cell: (row) => STATE_LABELS[row.state] },
      {
        id: 'ends',
        header: 'Ends',
        cell: (row) => <span className="tabular-figures">{formatDateTime(row.endDate)}</span>,
        sort: 'ends',
      },
      { id: 'votes', header: 'Votes', cell: (row) => formatCount(row.votes), isNumeric: true },
      {
        id: 'created',
        header: 'Created',
        cell: (row) => <span className="tabular-figures">{formatDateTime(row.createdAt)}</span>,
        sort: 'created',
        isOptional: true,
      },
    ],
    filters: [
      choiceFilter('state', 'State', STATE_LABELS),
      choiceFilter('by', 'Author', { artist: 'The artist', supporters: 'Supporters' }),
      { id: 'ends', label: 'Ends', kind: 'days' },
    ],
    bulkActions: [
      {
        label: 'Close',
        appliesTo: (row) => row.state === 'open',
        run: sendAction('close'),
        confirm: {
          title: (count, name) => (count === 1 ? `Close “${name}” now?` : `Close ${formatCount(count)} polls now?`),
          text: 'Voting ends now, and everyone sees the results. This cannot be undone.',
        },
        keys: POLL_QUERY_KEYS,
        done: 'Polls closed',
      },
      {
        label: 'Hide',
        appliesTo: (row) => row.state !== 'hidden',
        run: sendAction('hide'),
        undo: sendAction('show'),
        keys: POLL_QUERY_KEYS,
        done: 'Polls hidden',
      },
      {
        label: 'Show again',
        appliesTo: (row) => row.state === 'hidden',
        run: sendAction('show'),
        undo: sendAction('hide'),
        keys: POLL_QUERY_KEYS,
        done: 'Polls shown',
      },
    ],
    empty: 'No polls yet. Add the first one, with two options or more.',
  },
  note: 'Create official polls here. Supporters create theirs on the site; you can close or hide those, but not edit them.',
  noun: 'poll',
  keys: POLL_QUERY_KEYS,
  form: {
    schema: OfficialPollDraft,
    fields: (row) =>
      hasVotes(row) ? pollFields.filter(({ name }) => ['description', 'lastDay'].includes(name)) : pollFields,
    note: (row) => (hasVotes(row) ? 'People have voted, so the title and the options can’t change.' : undefined),
    toDraft: ({ title, description, options, lastDay, version }) => ({ title, description, options, lastDay, version }),
    blank: { description: '', options: [] },
    preview: PollPreview,
  },
  isEditable: (row) => row.state === 'open' && row.official,
  endpoints: adminPollsApi,
}

/** All polls. The artist's can be added and edited; any poll can be closed or hidden. */
export function PollsTab() {
  const [confirming, setConfirming] = useState<{ action: 'close' | 'hide'; poll: AdminPoll } | null>(null)
  const pollAction = useAdminMutation(
    ({ action, id }: { action: 'close' | 'hide' | 'show'; id: string }) => call(pollsApi[action], { id }),
    POLL_QUERY_KEYS,
  )
  const show = ({ id, title }: AdminPoll) =>
    pollAction.mutate(
      { action: 'show', id },
      { onSuccess: () => toast({ title: 'Poll shown', text: title }), onError: toastError('Poll not shown') },
    )
  const closeOrHide = (action: 'close' | 'hide', poll: AdminPoll) =>
    pollAction.mutate(
      { action, id: poll.id },
      {
        onSuccess: () =>
          toast({
            title: CONFIRM_TEXT[action].done,
            text: poll.title,
            ...(action === 'hide' && { action: { label: 'Undo', onPress: () => show(poll) } }),
          }),
        onError: toastError(CONFIRM_TEXT[action].failed),
        onSettled: () => setConfirming(null),
      },
    )
  return (
    <>
      <EditableList
        definition={pollList}
        actions={(row, editButton) => (
          <>
            {editButton}
            {row.state === 'open' && (
              <Button
                variant="text"
                aria-label={`Close ${row.title}`}
                onClick={() => setConfirming({ action: 'close', poll: row })}
              >
                Close
              </Button>
            )}
            {row.state === 'hidden' ? (
              <Button variant="text" aria-label={`Show ${row.title} again`} onClick={() => show(row)}>
                Show again
              </Button>
            ) : (
              <Button
                variant="text"
                aria-label={`Hide ${row.title}`}
                onClick={() => setConfirming({ action: 'hide', poll: row })}
              >
                Hide
              </Button>
            )}
          </>
        )}
      />
      {confirming && (
        <ConfirmDialog
          title={CONFIRM_TEXT[confirming.action].title(confirming.poll.title)}
          confirmLabel={CONFIRM_TEXT[confirming.action].confirm}
          pending={pollAction.isPending}
          onClose={() => setConfirming(null)}
          onConfirm={() => closeOrHide(confirming.action, confirming.poll)}
        >
          <p>{CONFIRM_TEXT[confirming.action].text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
