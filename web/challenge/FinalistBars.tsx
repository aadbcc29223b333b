import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'

/** Votes as bars, scaled to the most votes. The first finalist, who has the most votes, is highlighted. */
export function FinalistBars({ finalists }: { finalists: HallOfFameEntry['finalists'] }) {
  const maxVotes = Math.max(1, ...finalists.map(({ votes }) => votes))
  return (
    <ol className="grid gap-4">
      {finalists.map(({ name, votes, percent }, index) => (
        <li key={name}>
          <p className="flex items-baseline justify-between gap-4">
            <span className={index === 0 ? 'font-semibold text-gold-bright' : ''}>{name}</span>
            <span className="tabular-figures shrink-0 text-sm">
              <strong className="text-base font-semibold">{votes}</strong>{' '}
              <span className="text-muted">({percent}%)</span>
            </span>
          </p>
          <svg aria-hidden="true" width="100%" height="10" className="mt-1.5 block bg-sleeve-high">
            <rect
              width={`${(votes / maxVotes) * 100}%`}
              height="10"
              className={index === 0 ? 'bar-fill fill-gold' : 'bar-fill fill-rule-strong'}
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
