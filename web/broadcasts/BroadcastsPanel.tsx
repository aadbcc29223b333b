import { useNavigate } from '@tanstack/react-router'
import { type Broadcast, broadcastsApi } from '../../worker/contract/broadcasts'
import { UnsavedDraftNotices } from '../admin/FormDraftNotices'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { formatCount, formatCountOf, formatDate } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { BroadcastActions, BroadcastState } from './BroadcastActions'
import {
  audienceName,
  BROADCAST_STATE_LABELS,
  cancelBroadcast,
  countProcessed,
  hasStarted,
  refetchIntervalOf,
  removeDraft,
  restoreDraft,
  useRemoveDraft,
} from './broadcasts.queries'

const AUDIENCE_LABELS = {
  all: 'Every subscriber',
  city: 'A city',
  tier: 'A tier',
  alerts: 'Alerts about a show',
} as const

const broadcastList: AdminListDefinition<'/api/admin/broadcasts', Broadcast> = {
  name: 'broadcasts',
  title: 'Broadcasts',
  endpoint: broadcastsApi.list,
  urlPrefix: 'broadcasts.',
  searchLabel: 'Search by subject or text',
  nameOf: (row) => row.subject,
  linkOf: ({ id }) => toScreen('broadcast', { params: { id } }),
  columns: [
    { id: 'subject', header: 'Subject', cell: (row) => row.subject, sort: 'subject' },
    { id: 'audience', header: 'To', cell: (row) => audienceName(row.audience) },
    { id: 'state', header: 'State', cell: (row) => <BroadcastState broadcast={row} /> },
    { id: 'sent', header: 'Emails', cell: (row) => <EmailCount broadcast={row} />, isNumeric: true },
    {
      id: 'created',
      header: 'Written',
      cell: (row) => <time dateTime={row.createdAt}>{formatDate(row.createdAt)}</time>,
      sort: 'created',
      isOptional: true,
    },
  ],
  filters: [
    choiceFilter('state', 'State', BROADCAST_STATE_LABELS),
    choiceFilter('audience', 'To', AUDIENCE_LABELS),
    { id: 'created', label: 'Written', kind: 'days' },
  ],
  bulkActions: [
    {
      label: 'Delete drafts',
      appliesTo: ({ state }) => state === 'draft',
      run: ({ id }) => removeDraft(id),
      undo: ({ id }) => restoreDraft(id),
      done: 'Drafts deleted',
    },
    {
      label: 'Unschedule',
      appliesTo: ({ state }) => state === 'scheduled',
      run: ({ id }) => cancelBroadcast(id),
      done: 'Broadcasts are drafts again',
    },
  ],
  refetchInterval: refetchIntervalOf,
  empty: 'No broadcasts yet. Write the first one: you can preview and test it before anyone gets it.',
}

/** Emails processed out of all recipients; before sending starts, the current size of the audience. */
function EmailCount({ broadcast }: { broadcast: Broadcast }) {
  const { recipients, counts } = broadcast
  if (!hasStarted(broadcast)) return formatCount(recipients)
  return (
    <>
      {formatCount(countProcessed(broadcast))} of {formatCount(recipients)}
      {counts.failed > 0 && (
        <span className="block text-sm text-sunset">{formatCountOf(counts.failed, 'failure')}</span>
      )}
    </>
  )
}

export function BroadcastsPanel() {
  const removeDraftWithUndo = useRemoveDraft()
  const navigate = useNavigate()
  return (
    <div>
      <UnsavedDraftNotices
        list="broadcasts"
        onContinue={(id) => void navigate(toScreen('broadcast', { params: { id } }))}
      />
      <AdminList
        list={broadcastList}
        note="One email to all confirmed subscribers, or to those of one city or tier. Alerts about a new show go out automatically and are listed here too."
        tools={
          <ScreenLink screen="broadcast" params={{ id: 'new' }} className={buttonClass('primary')}>
            Write a broadcast
          </ScreenLink>
        }
        actions={(row) => (
          <BroadcastActions broadcast={row} onDelete={() => removeDraftWithUndo(row.id, row.subject)} />
        )}
      />
    </div>
  )
}
