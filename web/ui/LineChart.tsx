import { type PointerEvent, useId, useState } from 'react'

type Point = { label: string; value: number }
type Props = {
  title: string
  /** Oldest first, at least two. */
  points: readonly Point[]
  format: (value: number) => string
}

const WIDTH = 600
const HEIGHT = 160

/** A value over time, with a table of the same data. */
export function LineChart({ title, points, format }: Props) {
  const id = useId()
  const [pointedIndex, setPointedIndex] = useState<number | null>(null)
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  const coordinates = points.map(({ value }, index) => ({
    x: (index / Math.max(1, points.length - 1)) * WIDTH,
    y: HEIGHT - 8 - ((value - low) / span) * (HEIGHT - 16),
  }))
  const line = coordinates.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const displayedPoint = points[pointedIndex ?? points.length - 1]
  const cursor = pointedIndex === null ? undefined : coordinates[pointedIndex]

  function onPointerMove(event: PointerEvent<SVGSVGElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.round(((event.clientX - left) / width) * (points.length - 1))
    setPointedIndex(Math.max(0, Math.min(points.length - 1, index)))
  }

  return (
    <figure aria-labelledby={`${id}-title`}>
      <figcaption className="grid gap-y-1">
        <span id={`${id}-title`} className="font-label text-muted">
          {title}
        </span>
        {displayedPoint && (
          <span className="tabular-figures text-sm">
            <span className="text-muted">{displayedPoint.label}</span>{' '}
            <strong className="font-semibold text-gold-bright">{format(displayedPoint.value)}</strong>
          </span>
        )}
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-3 h-40 w-full touch-pan-y border-b border-rule"
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointedIndex(null)}
      >
        <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} className="fill-gold opacity-10" />
        <polyline points={line} className="trend-line" />
        {cursor && <line x1={cursor.x} x2={cursor.x} y1={0} y2={HEIGHT} className="trend-cursor" />}
      </svg>
      <p aria-hidden="true" className="tabular-figures mt-1 flex justify-between text-xs text-muted">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
      <details className="mt-2 text-sm">
        <summary className="inline-flex min-h-11 items-center text-muted hover:text-ivory">{title} as a table</summary>
        <table className="w-full">
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label} className="border-t border-rule">
                <th scope="row" className="py-1.5 text-left font-normal text-muted">
                  {label}
                </th>
                <td className="tabular-figures py-1.5 text-right">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
