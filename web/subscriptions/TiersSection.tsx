import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TIERS, type TierCard } from '../../worker/contract/site'
import { useMe } from '../auth/auth.queries'
import { formatShortPrice } from '../lib/format'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { revealFocused } from '../ui/focus'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

/** Each tier is shown as the side of a record. */
export const VINYL_SIDES = { bronze: 'A', silver: 'B', gold: 'C' } as const
const SKELETON_CLASS = 'h-[34rem]'

/** Home page section: the three tiers. Visitors count as bronze. */
export function TiersSection() {
  const currentTier = useMe()?.tier ?? 'bronze'
  const query = useQuery(siteConfig)
  return (
    <Section id="exclusive" isNumbered title="The Zone" note={query.data && `${query.data.tiers.length} pressings`}>
      <div className="tier-cards col-span-full">
        <QueryBoundary
          query={query}
          loading={
            <>
              <Skeleton className={SKELETON_CLASS} label="Loading the tiers" />
              <Skeleton className={SKELETON_CLASS} />
              <Skeleton className={SKELETON_CLASS} />
            </>
          }
          error="The tiers could not be loaded."
          errorClassName="col-span-full"
        >
          {({ tiers }) =>
            tiers.map((tier) => (
              <TierPanel key={tier.id} tier={tier} side={VINYL_SIDES[tier.id]}>
                {tier.id === 'bronze' || TIERS.indexOf(tier.id) <= TIERS.indexOf(currentTier) ? (
                  <IncludedTierButton>{tier.id === currentTier ? 'Current Plan' : 'Included'}</IncludedTierButton>
                ) : (
                  <Link
                    to="/subscribe"
                    onFocus={revealFocused}
                    search={{ tier: tier.id }}
                    // The page scrolls to the tier's button by focusing it.
                    resetScroll={false}
                    className={buttonClass(tier.id === 'gold' ? 'primary' : 'outline')}
                  >
                    Choose {tier.name}
                  </Link>
                )}
              </TierPanel>
            ))
          }
        </QueryBoundary>
      </div>
      <p className="col-span-full mt-4 text-muted md:mt-8">
        Silver and Gold begin with a 7-day free trial. Cancel anytime.
      </p>
    </Section>
  )
}

/** Says that a tier is the current one or included in it. Focusable, so that keyboard users can scroll to the card. */
export function IncludedTierButton({ children }: { children: string }) {
  return (
    <Button aria-disabled onFocus={revealFocused}>
      {children}
    </Button>
  )
}

type Props = {
  /** The price is null while a form does not have it yet. */
  tier: Omit<TierCard, 'priceCents'> & { priceCents: number | null }
  side: string
  isChosen?: boolean
  headingLevel?: 'h2' | 'h3'
  /** A button or a link. */
  children: ReactNode
}

/** A tier as a record with its features as the track list. */
export function TierPanel({ tier, side, isChosen = false, headingLevel: Heading = 'h3', children }: Props) {
  const { id, name, priceCents, features, popular } = tier
  return (
    <article aria-labelledby={`tier-${id}`} className="tier-card" data-tier={id} data-chosen={isChosen || undefined}>
      <div aria-hidden="true" className="disc tier-card-disc" />
      <div className="tier-card-body">
        {popular && <p className="tier-card-badge">Most Popular</p>}
        <Heading id={`tier-${id}`} className="tier-card-name font-display text-2xl">
          {name}
        </Heading>
        <p className="mt-3 flex items-baseline gap-2">
          <span className="tabular-figures font-display text-[clamp(3.25rem,2rem+3vw,5rem)] leading-none">
            {priceCents === null ? 'Price' : formatShortPrice(priceCents)}
          </span>{' '}
          <span className="font-label text-muted">per month</span>
        </p>
        <ol className="mt-6 mb-8">
          {features.map((feature, index) => (
            <li key={feature} className="flex gap-4 border-t border-rule py-2.5">
              <span aria-hidden="true" className="tabular-figures w-7 shrink-0 font-label leading-6 text-muted">
                {side}
                {index + 1}
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
