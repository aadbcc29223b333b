const numberFormat = new Intl.NumberFormat('en-US')

/** The supporter's points beside a small gold record. */
export function Points({ points }: { points: number }) {
  return (
    <p className="figures flex shrink-0 items-center gap-2 font-semibold text-gold-bright">
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="text-gold max-[22.5rem]:hidden">
        <circle cx="10" cy="10" r="9.5" fill="currentColor" />
        <g fill="none" stroke="var(--color-gold-deep)" strokeWidth="0.75">
          <circle cx="10" cy="10" r="7.4" />
          <circle cx="10" cy="10" r="5.6" />
        </g>
        <circle cx="10" cy="10" r="3.4" fill="var(--color-ground)" />
        <circle cx="10" cy="10" r="1" fill="currentColor" />
      </svg>
      <span className="sr-only">Your points:</span>
      {numberFormat.format(points)}
    </p>
  )
}
