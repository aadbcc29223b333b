import { useId } from 'react'
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { formatCalendarDate } from '../../lib/format'
import { useReducedMotion } from '../../lib/useReducedMotion'
import { changeText, shortDay, sum, TICK_STYLE, type Trend, type TrendRange, useTooltipTrigger } from './trends'

type Point = {
  day: string
  beforeDay: string | null
  value: number
  before: number | null
  /** Null for today, whose value is partial. */
  complete: number | null
  /** Set for yesterday and today, the dashed part of the line; null for other days. */
  partial: number | null
}

/** Line chart of a metric by day, compared with the previous range. Arrow keys move through the days. */
export function TrendChart({ trend, range }: { trend: Trend; range: TrendRange }) {
  const captionId = useId()
  const isReducedMotion = useReducedMotion()
  const tooltipTrigger = useTooltipTrigger()
  const points = toPoints(trend, range)
  const total = sum(trend.values)
  const previousTotal = sum(trend.before)
  const change = changeText(total, previousTotal)
  return (
    <figure aria-labelledby={captionId} className="min-w-0">
      <figcaption id={captionId}>
        <span className="block font-label text-muted">{trend.label}</span>
        <span className="tabular-figures mt-1 block font-display text-xl">{trend.format(total)}</span>
        <span className="tabular-figures mt-1 block text-sm text-muted">
          {trend.format(previousTotal)} in the previous period{change && `, ${change}`}
        </span>
      </figcaption>
      <div className="mt-4 h-56">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 224 }}>
          <LineChart
            data={points}
            margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
            title={`${trend.label} by day. Use the arrow keys to read each day.`}
          >
            <CartesianGrid vertical={false} stroke="var(--color-rule)" />
            <XAxis
              dataKey="day"
              tickFormatter={shortDay}
              minTickGap={32}
              tickLine={false}
              tick={TICK_STYLE}
              stroke="var(--color-rule-strong)"
            />
            <YAxis
              tickFormatter={trend.formatAxis}
              tick={TICK_STYLE}
              tickLine={false}
              axisLine={false}
              width={52}
              tickCount={4}
              domain={[0, 'auto']}
              allowDecimals={false}
            />
            <Tooltip
              trigger={tooltipTrigger}
              cursor={{ stroke: 'var(--color-rule-strong)' }}
              isAnimationActive={false}
              content={(props) => <DayTooltip {...props} trend={trend} today={range.today} />}
            />
            <Line
              {...LINE_PROPS}
              dataKey="before"
              stroke="var(--color-muted)"
              strokeWidth={1.25}
              isAnimationActive={false}
            />
            <Line
              {...LINE_PROPS}
              dataKey="complete"
              stroke="var(--color-gold)"
              strokeWidth={2}
              isAnimationActive={!isReducedMotion}
            />
            <Line
              {...LINE_PROPS}
              dataKey="partial"
              stroke="var(--color-gold)"
              strokeWidth={2}
              strokeDasharray="4 4"
              isAnimationActive={false}
            />
          </LineChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

const LINE_PROPS = { type: 'linear', dot: false, activeDot: { r: 4 }, animationDuration: 250 } as const

function toPoints({ values, before }: Trend, range: TrendRange): Point[] {
  const todayIndex = range.days.indexOf(range.today)
  return range.days.map((day, i) => {
    const value = values[i] ?? 0
    return {
      day,
      beforeDay: range.before[i] ?? null,
      value,
      before: before[i] ?? null,
      complete: i === todayIndex ? null : value,
      partial: todayIndex > 0 && i >= todayIndex - 1 ? value : null,
    }
  })
}

type TooltipProps = Pick<TooltipContentProps, 'active' | 'payload'> & { trend: Trend; today: string }

function DayTooltip({ active, payload, trend, today }: TooltipProps) {
  const point: Point | undefined = payload?.[0]?.payload
  if (!(active && point)) return null
  return (
    <div className="tabular-figures border border-rule-strong bg-sleeve-high px-3 py-2 text-sm">
      <p className="text-muted">
        {formatCalendarDate(point.day)}
        {point.day === today && ', so far'}
      </p>
      <p className="font-semibold text-gold-bright">{trend.format(point.value)}</p>
      {point.beforeDay && point.before !== null && (
        <p className="text-muted">
          {trend.format(point.before)} on {shortDay(point.beforeDay)}
        </p>
      )}
    </div>
  )
}
