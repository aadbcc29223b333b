import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TIERS } from '../../worker/contract/site'
import { useMe } from '../auth/auth.queries'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { TierPanel } from './TierPanel'

const SIDE = { bronze: 'A', silver: 'B', gold: 'C' } as const

/** Track 04: the three tiers as three pressings. Who has not chosen another is on bronze. */
export function TiersSection() {
  const currentTier = useMe()?.tier ?? 'bronze'
  const { data: site, isError, isFetching, refetch } = useQuery(siteConfig)
  return (
    <Section id="exclusive" number="04" title="The Zone" note={site && `${site.tiers.length} pressings`}>
      <div className="pressings col-span-full">
        {site ? (
          site.tiers.map((tier) => (
            <TierPanel key={tier.id} tier={tier} side={SIDE[tier.id]}>
              {tier.id === 'bronze' || TIERS.indexOf(tier.id) <= TIERS.indexOf(currentTier) ? (
                <Button disabled>{tier.id === currentTier ? 'Current Plan' : 'Included'}</Button>
              ) : (
                <Link
                  to="/subscribe"
                  search={{ tier: tier.id }}
                  // The screen puts the focus on the chosen tier, which scrolls there.
                  resetScroll={false}
                  className={buttonClass(tier.id === 'gold' ? 'foil' : 'outline')}
                >
                  Choose {tier.name}
                </Link>
              )}
            </TierPanel>
          ))
        ) : isError ? (
          <div className="col-span-full">
            <LoadError onRetry={() => void refetch()} retrying={isFetching}>
              The tiers could not be fetched.
            </LoadError>
          </div>
        ) : (
          ['Fetching the tiers', undefined, undefined].map((label, place) => (
            <Skeleton key={place === 0 ? 'a' : `b${place}`} className="h-[34rem]" label={label} />
          ))
        )}
      </div>
      <p className="col-span-full mt-8 text-muted">Silver and Gold begin with a 7-day free trial. Cancel anytime.</p>
    </Section>
  )
}
