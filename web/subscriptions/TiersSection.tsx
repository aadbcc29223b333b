import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TIERS, type TierCard } from '../../worker/contract/site'
import { useMe } from '../auth/auth.queries'
import { formatShortPrice } from '../lib/format'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

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

type Props = {
  tier: TierCard
  /** The side of the record that its features are numbered on: 'A', 'B', 'C'. */
  side: string
  /** Marked as the visitor's choice. */
  chosen?: boolean
  /** The level of its heading on the page. */
  heading?: 'h2' | 'h3'
  /** What can be done with it: one button or link. */
  children: ReactNode
}

/** A tier as a pressing: a disc of its metal rises out of the sleeve, the features are its track list. */
export function TierPanel({ tier, side, chosen = false, heading: Heading = 'h3', children }: Props) {
  const { id, name, priceCents, features, popular } = tier
  return (
    <article aria-labelledby={`tier-${id}`} className="pressing" data-tier={id} data-chosen={chosen || undefined}>
      <div aria-hidden="true" className="disc pressing-disc" />
      <div className="pressing-sleeve">
        {popular && <p className="hype-sticker">Most Popular</p>}
        <Heading id={`tier-${id}`} className="pressing-name font-display text-2xl">
          {name}
        </Heading>
        <p className="mt-3 flex items-baseline gap-2">
          <span className="figures font-display text-[clamp(3.25rem,2rem+3vw,5rem)] leading-none">
            {formatShortPrice(priceCents)}
          </span>{' '}
          <span className="font-label text-muted">per month</span>
        </p>
        <ol className="mt-6 mb-8">
          {features.map((feature, place) => (
            <li key={feature} className="flex gap-4 border-t border-rule py-2.5">
              <span aria-hidden="true" className="figures w-7 shrink-0 font-label leading-6 text-muted">
                {side}
                {place + 1}
              </span>
              <span className="leading-6">{feature}</span>
            </li>
          ))}
        </ol>
        <div className="mt-auto grid">{children}</div>
      </div>
    </article>
  )
}
