import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Me } from '../../worker/contract/auth'
import { POINTS, type Referral } from '../../worker/contract/points'
import { formatLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { myReferrals } from './account-points.queries'

const REFERRAL_STATE_LABELS: Record<Referral['state'], string> = {
  waiting: 'Email not confirmed yet',
  rewarded: `+${POINTS.referral_bonus} pts`,
  unrewarded: 'No bonus',
}

/** The supporter's referral code and the supporters who used it. */
export function ReferAFriend({ me }: { me: Me }) {
  const code = useRef<HTMLInputElement>(null)
  const copy = async () => {
    const link = `${location.origin}/signup?ref=${me.referralCode}`
    try {
      await navigator.clipboard.writeText(link)
      toast({ title: 'Referral code copied!', text: `Your link: ${link}` })
    } catch {
      code.current?.select()
      toast({ title: 'Copying is not allowed here', text: 'The code is selected. Copy it by hand.' })
    }
  }
  return (
    <section aria-labelledby="refer-a-friend" className="referral-ticket">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="refer-a-friend" className="font-display text-xl">
          Refer a Friend
        </h3>
        <p className="tabular-figures font-display text-xl">+{POINTS.referral_bonus} pts</p>
      </div>
      <p className="mt-3">
        They begin with {POINTS.referral_signup} points. You get {POINTS.referral_bonus} once they have confirmed their
        email address.
      </p>
      <div className="referral-ticket-footer mt-6 flex flex-wrap items-end gap-3 pt-6">
        <label className="min-w-0 grow basis-48">
          <span className="font-label">Your referral code</span>
          <input
            ref={code}
            readOnly
            value={me.referralCode}
            onFocus={(event) => event.target.select()}
            className="referral-code tabular-figures font-display"
          />
        </label>
        <Button className="referral-button" onClick={() => void copy()}>
          Copy link
        </Button>
      </div>
      <p className="tabular-figures mt-5 flex items-center gap-3 font-semibold">
        <span aria-hidden="true" className="flex gap-1.5">
          {Array.from({ length: me.referralLimit }, (_, index) => `slot ${index + 1}`).map((slot, index) => (
            <span key={slot} className="referral-slot" data-used={index < me.referralsUsed || undefined} />
          ))}
        </span>
        {me.referralsUsed}/{me.referralLimit} referrals used
      </p>
      <ReferralList />
    </section>
  )
}

function ReferralList() {
  return (
    <QueryBoundary
      query={useQuery(myReferrals)}
      loading={null}
      error="Your referrals could not be loaded."
      errorClassName="mt-5 text-ivory"
    >
      {(list) =>
        list.length > 0 && (
          <ul aria-label="Your referrals" className="mt-4 text-sm">
            {list.map(({ joinedAt, state }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the response identifies no referred user.
              <li key={`${joinedAt} ${index}`} className="referral-row">
                <span>Joined {formatLocalDay(joinedAt)}</span>
                <span className="tabular-figures text-right font-semibold">{REFERRAL_STATE_LABELS[state]}</span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryBoundary>
  )
}
