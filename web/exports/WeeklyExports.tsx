import { useQuery } from '@tanstack/react-query'
import type { ExportSchedule } from '../../worker/contract/exports'
import { formatCountOf, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { EXPORT_LABELS, exportSchedules, useScheduleExport, useStopSchedule } from './exports.queries'

/** The team's weekly exports, each with its recipient and its next time. */
export function WeeklyExports() {
  const query = useQuery(exportSchedules)
  // Here instead of in the row, which is unmounted by the time the admin presses Undo.
  const stop = useStopSchedule()
  const restore = useScheduleExport()
  const undo = ({ kind, columns }: ExportSchedule) =>
    restore.mutate({ kind, columns: columns ?? undefined }, { onError: toastError('Weekly export not restored') })
  const stopSchedule = (schedule: ExportSchedule) =>
    stop.isPending ||
    stop.mutate(schedule.id, {
      onSuccess: () =>
        toast({
          title: 'Weekly export stopped',
          text: EXPORT_LABELS[schedule.kind],
          action: { label: 'Undo', onPress: () => undo(schedule) },
        }),
      onError: toastError('Not stopped'),
    })
  return (
    <section aria-label="Weekly exports" className="mb-10">
      <h3 className="font-label text-muted">Every week</h3>
      <QueryBoundary
        query={query}
        loading={{ className: 'mt-3 h-16', label: 'Loading weekly exports' }}
        error="The weekly exports could not be loaded."
      >
        {(schedules) =>
          schedules.length === 0 ? (
            <p className="mt-2 text-sm text-muted">
              None yet. “Export every week” emails you a link each Monday morning.
            </p>
          ) : (
            <ul className="mt-3 border-y border-rule">
              {schedules.map((schedule) => (
                <ScheduleRow key={schedule.id} schedule={schedule} onStop={() => stopSchedule(schedule)} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </section>
  )
}

function ScheduleRow({ schedule, onStop }: { schedule: ExportSchedule; onStop: () => void }) {
  const { kind, columns, nextAt, requestedBy, email, isOwn } = schedule
  const label = EXPORT_LABELS[kind]
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-rule py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <p>
          <span className="font-semibold">{label}</span>{' '}
          <span className="text-sm text-muted">
            {columns ? formatCountOf(columns.length, 'column') : 'All columns'}
          </span>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          Next on{' '}
          <time dateTime={nextAt} className="tabular-figures">
            {formatDateTime(nextAt)}
          </time>
          , to {isOwn ? email : `${requestedBy}, ${email}`}
        </p>
      </div>
      {isOwn && (
        <Button variant="text" aria-label={`Stop the weekly export of ${label}`} onClick={onStop}>
          Stop
        </Button>
      )}
    </li>
  )
}
