import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Mission, PointsAction } from '../../worker/contract/points'
import { SectionLink } from '../layout/SectionLink'
import { useServerData } from '../lib/server-data'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { useCompleteMission } from './account-points.queries'
import { allMissions } from './points.queries'

/** The first `max` missions with the supporter's progress, open ones first. */
export function Missions({ max = Number.POSITIVE_INFINITY }: { max?: number }) {
  const { data } = useQuery(allMissions)
  const doneCount = data?.filter(({ completed }) => completed).length ?? 0
  return (
    <section aria-labelledby="missions" tabIndex={-1}>
      <h3 id="missions" className="hub-heading flex flex-wrap items-baseline justify-between gap-x-4">
        Missions
        {data && data.length > 0 && (
          <span className="tabular-figures text-muted">
            {doneCount} of {data.length} done
          </span>
        )}
      </h3>
      <MissionsBoundary>
        {(list) => (
          <ul>
            {openFirst(list)
              .slice(0, max)
              .map((mission) => (
                <MissionRow key={mission.id} mission={mission} />
              ))}
          </ul>
        )}
      </MissionsBoundary>
    </section>
  )
}

/** Renders the missions once they are loaded, if there are any. */
export function MissionsBoundary({ children }: { children: (list: readonly Mission[]) => ReactNode }) {
  return (
    <QueryBoundary
      query={useServerData(useQuery(allMissions), allMissions.queryKey)}
      loading={{ className: 'h-96', label: 'Loading the missions' }}
      error="The missions could not be loaded."
    >
      {(list) =>
        list.length === 0 ? <p className="py-5 text-muted">No missions right now. Check back soon.</p> : children(list)
      }
    </QueryBoundary>
  )
}

const isOpen = ({ completed, takenBack }: Pick<Mission, 'completed' | 'takenBack'>) => !completed && !takenBack
const openFirst = (list: readonly Mission[]) => list.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)))

/** The points are null in the admin form's preview, until they are entered. */
export function MissionRow({ mission }: { mission: Omit<Mission, 'points'> & { points: number | null } }) {
  const { id, title, description, points, action, progress, target, completed, takenBack } = mission
  const isMissionOpen = isOpen(mission)
  const complete = useCompleteMission(id)
  const row = useRef<HTMLLIElement>(null)
  const collect = () => {
    if (complete.isPending) return
    // Collecting removes the pressed button, so move the focus.
    row.current?.closest('section')?.focus({ preventScroll: true })
    complete.mutate(undefined, {
      onSuccess: ({ pointsAwarded }) => toast({ title: 'Mission complete', text: `+${pointsAwarded} points earned` }),
      onError: toastError('Mission not complete'),
    })
  }
  return (
    <li ref={row} className="mission-row" data-done={!isMissionOpen || undefined}>
      <p className="tabular-figures font-display text-xl text-gold">{points !== null && `+${points}`}</p>
      <div className="min-w-0">
        <h4 className="text-lg leading-snug font-bold">{title}</h4>
        <p className="mt-1 text-sm text-muted">{description}</p>
        {isMissionOpen && <MissionLink action={action} />}
        {takenBack && (
          <p className="mt-1 text-sm text-muted">Its points were taken back and will not be awarded again.</p>
        )}
        {isMissionOpen && (
          <p className="mt-3 flex items-center gap-4">
            <progress
              className="progress-bar w-full forced-colors:appearance-auto"
              aria-label={title}
              value={progress}
              max={target}
            />
            <span className="tabular-figures shrink-0 text-sm">
              {progress}/{target}
            </span>
          </p>
        )}
      </div>
      {completed && (
        <p className="flex items-center gap-2 text-sm font-semibold text-bay">
          <Check size={18} aria-hidden />
          Done
        </p>
      )}
      {takenBack && <p className="text-sm font-semibold text-muted">Taken back</p>}
      {/* If the actions are older than the mission, the supporter has to collect the points. */}
      {isMissionOpen && progress >= target && (
        <Button variant="primary" aria-disabled={complete.isPending} onClick={collect}>
          Collect
        </Button>
      )}
    </li>
  )
}

type ActionTarget = { label: string } & ({ section: string } | TargetPage | { href: string })
type TargetPage = { to: '/music' | '/shows' | '/account' | '/community' | '/hub' | '/merch'; hash?: string }

/** Where users perform each action; none for `referral_signup`, which happens only at sign-up. */
const ACTION_TARGETS: Partial<Record<PointsAction, ActionTarget>> = {
  poll_vote: { label: 'Vote in a poll', to: '/hub', hash: 'community-voting' },
  poll_created: { label: 'Create a poll', to: '/hub', hash: 'community-voting' },
  track_stream: { label: 'Listen', to: '/music' },
  track_like: { label: 'Find a track to like', to: '/music' },
  newsletter_signup: { label: 'Join the newsletter', section: 'newsletter' },
  community_post: { label: 'Write a post', to: '/community' },
  check_in: { label: 'Find a show', to: '/shows' },
  profile_complete: { label: 'Go to your account', to: '/account' },
  merch_purchase: { label: 'See the merch', to: '/merch' },
  referral_bonus: { label: 'Share your link', href: '#refer-a-friend' },
}

/** A link to where the mission's action is performed. Its press target covers the mission's row. */
function MissionLink({ action }: { action: string }) {
  const target = ACTION_TARGETS[action as PointsAction]
  if (!target) return null
  const className = 'mission-link'
  const children: ReactNode = (
    <>
      {target.label}
      <ArrowRight size={18} aria-hidden />
    </>
  )
  if ('section' in target)
    return (
      <SectionLink section={target.section} className={className}>
        {children}
      </SectionLink>
    )
  if ('to' in target)
    return (
      <Link to={target.to} {...(target.hash && { hash: target.hash })} className={className}>
        {children}
      </Link>
    )
  return (
    <a href={target.href} className={className}>
      {children}
    </a>
  )
}
