import { useEffect, useRef, useState } from 'react'
import { LEVELS, levelAt } from '../../worker/contract/points'
import { formatCount, formatCountOf } from '../lib/format'
import { useReducedMotion } from '../lib/useReducedMotion'

const RING_RADIUS = 108
const GROOVE_RADII = [92, 84, 76, 68]
const COUNT_UP_MS = 700

/** The points total in a ring that shows the progress to the next level. */
export function PointsRing({ points, headingLevel: Heading }: { points: number; headingLevel: 'h2' | 'h3' }) {
  const { level, next, progress } = levelAt(points)
  const displayedPoints = useCountUp(points)
  const missingPoints = next ? next.from - points : 0
  const nextLevelText = next
    ? `${formatCountOf(missingPoints, 'point')} to ${next.name}`
    : 'You have reached the highest level.'
  return (
    <section aria-labelledby="points-level" className="points-ring">
      <div
        role="progressbar"
        aria-labelledby="points-level"
        aria-valuenow={Math.round(progress * 100)}
        aria-valuetext={nextLevelText}
        className="points-ring-disc"
      >
        <svg viewBox="0 0 240 240" aria-hidden="true">
          <defs>
            <linearGradient id="ring-foil" x1="0" y1="0" x2="1" y2="1">
              <stop offset="0" stopColor="var(--color-gold-deep)" />
              <stop offset="0.35" stopColor="var(--color-gold-bright)" />
              <stop offset="0.6" stopColor="var(--color-gold)" />
              <stop offset="1" stopColor="var(--color-gold-deep)" />
            </linearGradient>
          </defs>
          <g fill="none" stroke="var(--color-rule)">
            <circle cx="120" cy="120" r={RING_RADIUS} strokeWidth="12" />
            {GROOVE_RADII.map((radius) => (
              <circle key={radius} cx="120" cy="120" r={radius} strokeOpacity="0.55" />
            ))}
          </g>
          <circle
            cx="120"
            cy="120"
            r={RING_RADIUS}
            pathLength="100"
            strokeDasharray={`${progress * 100} 100`}
            stroke={progress > 0 ? 'url(#ring-foil)' : 'none'}
            className="points-ring-progress"
          />
        </svg>
        <p className="points-ring-label">
          <span className="tabular-figures foil-text font-display" data-long={points >= 100_000 || undefined}>
            {formatCount(displayedPoints)}
          </span>
          <span className="font-label text-muted">points</span>
        </p>
      </div>
      <div className="min-w-0">
        <p className="font-label text-muted">Level</p>
        <Heading id="points-level" className="mt-1 font-display text-2xl text-gold-bright max-[24rem]:text-[1.4rem]">
          {level.name}
        </Heading>
        <p className="tabular-figures mt-2 text-muted">{nextLevelText}</p>
        <ol aria-label="Levels" className="points-ladder">
          {LEVELS.map(({ name, from }) => (
            <li key={name} data-reached={from <= points || undefined}>
              <span className="sr-only">
                {name}, from {formatCount(from)} points{from <= points ? ', reached' : ''}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** Animates from the previous value to the new one, unless reduced motion is preferred. */
function useCountUp(value: number): number {
  const reducedMotion = useReducedMotion()
  const [displayedValue, setDisplayedValue] = useState(value)
  const currentValue = useRef(value)
  useEffect(() => {
    const startedAt = performance.now()
    const startValue = currentValue.current
    let frame = 0
    const step = (now: number) => {
      const progress = reducedMotion ? 1 : Math.min(Math.max((now - startedAt) / COUNT_UP_MS, 0), 1)
      const easedProgress = 1 - (1 - progress) ** 3
      currentValue.current = Math.round(startValue + (value - startValue) * easedProgress)
      setDisplayedValue(currentValue.current)
      if (progress < 1) frame = requestAnimationFrame(step)
    }
    if (startValue !== value) frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [value, reducedMotion])
  return displayedValue
}
