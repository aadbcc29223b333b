import { useQuery } from '@tanstack/react-query'
import { missions } from '../points/points.queries'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

const SHOWN_COUNT = 4

/** A few missions and what they are worth. Nothing stands here while there are none. */
export function MissionPreview() {
  const { data, isError, isFetching, refetch } = useQuery(missions)
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="mission-taste" className="col-span-full mt-16 md:mt-24">
      <h3 id="mission-taste" className="mb-6 font-display text-2xl">
        Missions
      </h3>
      {data ? (
        <ul className="grid border-t-2 border-rule-strong xs:grid-cols-2 lg:grid-cols-4">
          {data.slice(0, SHOWN_COUNT).map(({ id, title, description, points }) => (
            <li key={id} className="mission">
              <p className="figures font-display text-2xl text-gold">+{points}</p>
              <h4 className="mt-3 text-lg leading-snug font-bold">{title}</h4>
              <p className="mt-1.5 text-sm text-muted">{description}</p>
            </li>
          ))}
        </ul>
      ) : isError ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The missions could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-44" label="Fetching the missions" />
      )}
    </section>
  )
}
