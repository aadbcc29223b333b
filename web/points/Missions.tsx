import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useRef } from 'react'
import type { Me } from '../../worker/contract/auth'
import { type Mission, POINTS, type Referral } from '../../worker/contract/points'
import { formatLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { missions, referrals, useCompleteMission } from './points.queries'

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

/** What a supporter can set out to do: bring a friend, and the missions. */
export function SupporterMissions({ me }: { me: Me }) {
  return (
    <div className="hub-missions">
      <ReferAFriend me={me} />
      <Missions />
    </div>
  )
}

const STATE_LABEL: Record<Referral['state'], string> = {
  waiting: 'Address not confirmed yet',
  rewarded: `+${POINTS.referral_bonus} pts`,
  unrewarded: 'No bonus',
}

/** The code to pass on, what it is worth, and what became of everybody who used it. */
export function ReferAFriend({ me }: { me: Me }) {
  const code = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(me.referralCode)
      toast({ title: 'Referral code copied!' })
    } catch {
      code.current?.select()
      toast({ title: 'Copying is not allowed here', text: 'The code is selected. Copy it by hand.' })
    }
  }
  return (
    <section aria-labelledby="refer-a-friend" className="stub">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="refer-a-friend" className="font-display text-xl">
          Refer a Friend
        </h3>
        <p className="figures font-display text-xl">+{POINTS.referral_bonus} pts</p>
      </div>
      <p className="mt-3">
        They begin with {POINTS.referral_signup} points. You get {POINTS.referral_bonus} once they have confirmed their
        e-mail address.
      </p>
      <div className="stub-tear mt-6 flex flex-wrap items-end gap-3 pt-6">
        <label className="min-w-0 grow basis-48">
          <span className="font-label">Your referral code</span>
          <input
            ref={code}
            readOnly
            value={me.referralCode}
            onFocus={(event) => event.target.select()}
            className="stub-code figures font-display"
          />
        </label>
        <Button className="stub-button" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p className="figures mt-5 flex items-center gap-3 font-semibold">
        <span aria-hidden="true" className="flex gap-1.5">
          {Array.from({ length: me.referralLimit }, (_, at) => `slot ${at + 1}`).map((slot, at) => (
            <span key={slot} className="stub-slot" data-used={at < me.referralsUsed || undefined} />
          ))}
        </span>
        {me.referralsUsed}/{me.referralLimit} referrals used
      </p>
      <ReferralList />
    </section>
  )
}

function ReferralList() {
  const { data, isError, isFetching, refetch } = useQuery(referrals)
  if (isError && !data)
    return (
      <div className="mt-5 text-ivory">
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          Your referrals could not be fetched.
        </LoadError>
      </div>
    )
  if (!data?.length) return null
  return (
    <ul aria-label="Your referrals" className="mt-4 text-sm">
      {data.map(({ joinedAt, state }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the server tells nothing that identifies a friend.
        <li key={`${joinedAt} ${at}`} className="stub-friend">
          <span>Joined {formatLocalDay(joinedAt)}</span>
          <span className="figures text-right font-semibold">{STATE_LABEL[state]}</span>
        </li>
      ))}
    </ul>
  )
}
