import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { Mission } from '../../worker/contract/points'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { missions, useCompleteMission } from './points.queries'

/** Every mission with how far the reader has come, by the ledger. */
export function Missions() {
  const { data, isError, isFetching, refetch } = useQuery(missions)
  const done = data?.filter(({ completed }) => completed).length ?? 0
  return (
    <section aria-labelledby="missions">
      <h3 id="missions" className="hub-heading flex flex-wrap items-baseline justify-between gap-x-4">
        Missions
        {data && data.length > 0 && (
          <span className="figures text-muted">
            {done} of {data.length} done
          </span>
        )}
      </h3>
      {data ? (
        data.length === 0 ? (
          <p className="py-5 text-muted">There is no mission right now. The next one will stand here.</p>
        ) : (
          <ul>
            {data.map((mission) => (
              <MissionRow key={mission.id} mission={mission} />
            ))}
          </ul>
        )
      ) : isError ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The missions could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-96" label="Fetching the missions" />
      )}
    </section>
  )
}

function MissionRow({ mission }: { mission: Mission }) {
  const { id, title, description, points, progress, target, completed, takenBack } = mission
  const complete = useCompleteMission(id)
  const collect = () =>
    complete.mutate(undefined, {
      onSuccess: ({ pointsAwarded }) => toast({ title: 'Mission complete', text: `+${pointsAwarded} points earned` }),
      onError: ({ message }) => toast({ title: 'Mission not complete', text: message, tone: 'destructive' }),
    })
  return (
    <li className="mission-row" data-done={completed || takenBack || undefined}>
      <p className="figures font-display text-xl text-gold">+{points}</p>
      <div className="min-w-0">
        <h4 className="text-lg leading-snug font-bold">{title}</h4>
        <p className="mt-1 text-sm text-muted">{description}</p>
        {takenBack && <p className="mt-1 text-sm text-muted">Its points were taken back, and it is not paid again.</p>}
        {!(completed || takenBack) && (
          <p className="mt-3 flex items-center gap-4">
            <progress className="mission-bar" aria-label={title} value={progress} max={target} />
            <span className="figures shrink-0 text-sm">
              {progress}/{target}
            </span>
          </p>
        )}
      </div>
      {completed ? (
        <p className="flex items-center gap-2 text-sm font-semibold text-bay">
          <Check size={18} aria-hidden />
          Done
        </p>
      ) : takenBack ? (
        <p className="text-sm font-semibold text-muted">Taken back</p>
      ) : (
        // Set up after its acts were done: the ledger pays it when asked.
        progress >= target && (
          <Button variant="foil" disabled={complete.isPending} onClick={collect}>
            Collect
          </Button>
        )
      )}
    </li>
  )
}
