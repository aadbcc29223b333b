import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Me } from '../../worker/contract/auth'
import type { Referral } from '../../worker/contract/points'
import { POINTS } from '../../worker/contract/points'
import { formatLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { toast } from '../ui/toast'
import { referrals } from './points.queries'

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
