import { ChartColumn, Download, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { downloadText } from '../../lib/start-download'
import { useReducedMotion } from '../../lib/useReducedMotion'
import { Button } from '../../ui/Button'
import { EmptyNotice } from '../../ui/EmptyNotice'
import { Panel } from '../Panel'
import { TICK_STYLE, useTooltipTrigger } from './trends'

/** A group's values in the chosen range and in the range before it. */
type BarPoint = { label: string; now: number; before: number }

type Props = {
  title: string
  note?: string
  points: readonly BarPoint[]
  format: (value: number) => string
  /** Formats a value for the axis, shorter than `format`. */
  formatAxis: (value: number) => string
  /** The chart's data as a table. */
  table: ReactNode
  /** Name and content of the CSV file. */
  csv: { name: string; text: () => string }
  /** Text shown without points. */
  empty: string
}

/** A metric by group, compared with the previous range, as a bar chart or a table. */
export function BarsPanel({ title, note, points, format, formatAxis, table, csv, empty }: Props) {
  const captionId = useId()
  const isReducedMotion = useReducedMotion()
  const tooltipTrigger = useTooltipTrigger()
  const [isTableShown, setIsTableShown] = useState(false)
  const Icon = isTableShown ? ChartColumn : Table2
  if (points.length === 0)
    return (
      <Panel title={title} note={note}>
        <EmptyNotice>{empty}</EmptyNotice>
      </Panel>
    )
  return (
    <Panel title={title} note={note}>
      <div className="-mx-3 mb-3 flex flex-wrap">
        <Button
          variant="text"
          aria-label={`${isTableShown ? 'Show chart' : 'Show as table'}: ${title}`}
          onClick={() => setIsTableShown(!isTableShown)}
        >
          <Icon size={18} aria-hidden />
          {isTableShown ? 'Show chart' : 'Show as table'}
        </Button>
        <Button
          variant="text"
          aria-label={`Download CSV: ${title}`}
          onClick={() => downloadText(csv.name, 'text/csv', csv.text())}
        >
          <Download size={18} aria-hidden />
          Download CSV
        </Button>
      </div>
      {isTableShown ? (
        <div className="overflow-x-auto">{table}</div>
      ) : (
        <figure aria-labelledby={captionId} className="min-w-0">
          <figcaption id={captionId} className="mb-3 text-xs text-muted">
            <span className="text-gold-bright">Gold:</span> this period. Gray: the previous period.
          </figcaption>
          <div className="h-64">
            <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 256 }}>
              <BarChart
                data={[...points]}
                margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
                title={`${title}. Use the arrow keys to read each bar.`}
              >
                <CartesianGrid vertical={false} stroke="var(--color-rule)" />
                <XAxis
                  dataKey="label"
                  tick={TICK_STYLE}
                  tickLine={false}
                  minTickGap={16}
                  stroke="var(--color-rule-strong)"
                />
                <YAxis
                  tickFormatter={formatAxis}
                  tick={TICK_STYLE}
                  tickLine={false}
                  axisLine={false}
                  width={60}
                  tickCount={4}
                  allowDecimals={false}
                />
                <Tooltip
                  trigger={tooltipTrigger}
                  cursor={{ fill: 'var(--color-sleeve)' }}
                  isAnimationActive={false}
                  content={({ active, payload }) => {
                    const point: BarPoint | undefined = payload?.[0]?.payload
                    if (!(active && point)) return null
                    return (
                      <div className="tabular-figures border border-rule-strong bg-sleeve-high px-3 py-2 text-sm">
                        <p className="text-muted">{point.label}</p>
                        <p className="font-semibold text-gold-bright">{format(point.now)}</p>
                        <p className="text-muted">{format(point.before)} before</p>
                      </div>
                    )
                  }}
                />
                <Bar dataKey="before" fill="var(--color-rule-strong)" maxBarSize={28} isAnimationActive={false} />
                <Bar
                  dataKey="now"
                  fill="var(--color-gold)"
                  maxBarSize={28}
                  isAnimationActive={!isReducedMotion}
                  animationDuration={250}
                />
              </BarChart>
            </ResponsiveContainer>
          </div>
        </figure>
      )}
    </Panel>
  )
}

type TableProps = { label: string; headers: readonly string[]; rows: readonly (readonly string[])[] }

/** A table of metrics. The first cell of each row is its header. */
export function MetricsTable({ label, headers, rows }: TableProps) {
  return (
    <table aria-label={label} className="tabular-figures w-full text-sm">
      <thead>
        <tr className="border-b border-rule-strong text-xs text-muted">
          {headers.map((header, index) => (
            <th key={header} scope="col" className={index === 0 ? 'py-2 pr-4 text-left' : 'py-2 pl-4 text-right'}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name} className="border-b border-rule">
            <th scope="row" className="py-2 pr-4 text-left font-normal text-muted">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={headers[index + 1]} className="py-2 pl-4 text-right">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
