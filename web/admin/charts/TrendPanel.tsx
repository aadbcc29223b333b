import { clsx } from 'clsx'
import { Download, LineChart as LineChartIcon, Table2 } from 'lucide-react'
import { useState } from 'react'
import { formatCalendarDate } from '../../lib/format'
import { downloadText } from '../../lib/start-download'
import { Button } from '../../ui/Button'
import { TrendChart } from './TrendChart'
import { rangeText, type Trend, type TrendRange, toCsv } from './trends'

type Props = {
  /** Names the table and the CSV file. */
  title: string
  range: TrendRange
  trends: readonly Trend[]
}

/** Metrics by day as charts, as a table and as a CSV file. */
export function TrendPanel({ title, range, trends }: Props) {
  const [isTableShown, setIsTableShown] = useState(false)
  const fileName = `${title.toLowerCase().replace(/\W+/g, '-')}-${range.days[0]}-to-${range.days.at(-1)}.csv`
  const Icon = isTableShown ? LineChartIcon : Table2
  return (
    <div>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm text-muted">
          <span className="text-ivory">{rangeText(range.days)}</span>, compared with {rangeText(range.before)}
        </p>
        <div className="-mx-3 flex flex-wrap">
          <Button variant="text" onClick={() => setIsTableShown(!isTableShown)}>
            <Icon size={18} aria-hidden />
            {isTableShown ? 'Show charts' : 'Show as table'}
          </Button>
          <Button variant="text" onClick={() => downloadText(fileName, 'text/csv', toCsv(range, trends))}>
            <Download size={18} aria-hidden />
            Download CSV
          </Button>
        </div>
      </div>
      {isTableShown ? (
        <TrendTable {...{ title, range, trends }} />
      ) : (
        <>
          <div className={clsx('grid gap-x-8 gap-y-10', trends.length > 2 ? 'xl:grid-cols-3' : 'xl:grid-cols-2')}>
            {trends.map((trend) => (
              <TrendChart key={trend.id} trend={trend} range={range} />
            ))}
          </div>
          <p className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-xs text-muted">
            <LegendEntry className="stroke-gold" label="This period" />
            <LegendEntry className="stroke-muted" label="Previous period" />
            {range.days.includes(range.today) && (
              <LegendEntry className="stroke-gold" dashes="4 4" label="Today so far" />
            )}
          </p>
        </>
      )}
    </div>
  )
}

const LegendEntry = ({ className, dashes, label }: { className: string; dashes?: string; label: string }) => (
  <span className="inline-flex items-center gap-2">
    <svg aria-hidden="true" width="24" height="2" className={className}>
      <line x2="24" y1="1" y2="1" strokeWidth="2" strokeDasharray={dashes} />
    </svg>
    {label}
  </span>
)

function TrendTable({ title, range, trends }: Props) {
  return (
    <div className="overflow-x-auto">
      <p className="mb-2 text-xs text-muted sm:hidden">In parentheses: the previous period.</p>
      <table aria-label={`${title} by day`} className="tabular-figures w-full text-sm">
        <thead>
          <tr className="border-b border-rule-strong text-left text-xs text-muted">
            <th scope="col" className="py-2 pr-2 align-bottom font-semibold sm:pr-4">
              Day
            </th>
            {trends.map(({ id, label }) => (
              <th key={id} scope="col" className="py-2 pl-2 text-right align-bottom font-semibold sm:pl-4">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {range.days.map((day, i) => (
            <tr key={day} className="border-b border-rule">
              <th scope="row" className="py-2 pr-2 text-left font-normal text-muted sm:pr-4 sm:whitespace-nowrap">
                {formatCalendarDate(day)}
                {day === range.today && ', so far'}
              </th>
              {trends.map(({ id, values, before, format }) => (
                <td key={id} className="py-2 pl-2 text-right whitespace-nowrap sm:pl-4">
                  {format(values[i] ?? 0)}{' '}
                  <span className="text-muted max-sm:block max-sm:text-xs">
                    ({format(before[i] ?? 0)}
                    <span className="max-sm:sr-only"> before</span>)
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
