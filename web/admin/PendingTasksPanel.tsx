import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import type { PendingTask } from '../../worker/contract/pending-tasks'
import { formatCount, formatDateTime } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { DashboardLink } from './DashboardLink'
import { Panel } from './Panel'
import { pendingTasksQuery } from './pending-tasks.queries'

/** Work that waits for the team, most urgent first. */
export function PendingTasksPanel() {
  return (
    <Panel title="Waiting for you">
      <QueryBoundary
        query={useQuery(pendingTasksQuery)}
        loading={{ label: 'Loading your tasks', className: 'h-40' }}
        error="Your tasks could not be loaded."
      >
        {(tasks) =>
          tasks.length === 0 ? (
            <p className="max-w-prose text-muted">
              All done. What needs you next will be listed here, such as orders, reports, inquiries and the next show.
            </p>
          ) : (
            <ul className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
              {tasks.map((task) => (
                <PendingTaskCard key={task.id} task={task} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  )
}

const PendingTaskCard = ({ task }: { task: PendingTask }) => (
  <li
    className={clsx(
      'flex gap-4 border border-l-2 border-rule bg-sleeve p-4',
      task.isUrgent ? 'border-l-sunset' : 'border-l-gold',
    )}
  >
    <p className="tabular-figures min-w-10 font-display text-2xl text-gold-bright" aria-hidden="true">
      {formatCount(task.count)}
    </p>
    <div className="min-w-0 flex-1">
      <h3 className="font-semibold wrap-anywhere">{task.title}</h3>
      <p className="mt-1 text-sm text-muted wrap-anywhere">{task.text}</p>
      {/* The text of a show's task already contains its time. */}
      {task.dueAt && !task.id.startsWith('shows.') && (
        <p className={clsx('tabular-figures mt-1 text-sm', task.isUrgent && 'text-sunset')}>
          Due <time dateTime={task.dueAt}>{formatDateTime(task.dueAt)}</time>
        </p>
      )}
      <DashboardLink
        href={task.href}
        className="mt-1 inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-gold hover:text-gold-bright"
      >
        <span>
          {task.action}
          <span className="sr-only">: {task.title}</span>
        </span>
        <ArrowRight size={16} aria-hidden />
      </DashboardLink>
    </div>
  </li>
)
