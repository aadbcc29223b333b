import type { Challenge } from '../../worker/contract/challenge'

/** Each finalist's share as a bar with its count and per cent in words. The longest bar fills the width. */
export function FinalistBars({ finalists }: { finalists: Challenge['finalists'] }) {
  const most = Math.max(1, ...finalists.map(({ votes }) => votes))
  return (
    <ol className="grid gap-4">
      {finalists.map(({ name, votes, percent }, place) => (
        <li key={name}>
          <p className="flex items-baseline justify-between gap-4">
            <span className={place === 0 ? 'font-semibold text-gold-bright' : ''}>{name}</span>
            <span className="figures shrink-0 text-sm">
              <strong className="text-base font-semibold">{votes}</strong>{' '}
              <span className="text-muted">({percent}%)</span>
            </span>
          </p>
          <svg aria-hidden="true" width="100%" height="10" className="mt-1.5 block bg-sleeve-high">
            <rect
              width={`${(votes / most) * 100}%`}
              height="10"
              className={place === 0 ? 'bar fill-gold' : 'bar fill-rule-strong'}
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
