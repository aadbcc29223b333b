import type { ReactNode } from 'react'
import type { TierCard } from '../../worker/contract/site'
import { formatShortPrice } from '../lib/format'

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
