import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComparedMetric, type Sales, salesApi } from '../../worker/contract/sales'
import { BarsPanel, MetricsTable } from '../admin/charts/BarsPanel'
import { DayRangePicker } from '../admin/charts/DayRangePicker'
import { type DayRangeChoice, toRangeSearch, useDayRange } from '../admin/charts/day-range'
import { TrendPanel } from '../admin/charts/TrendPanel'
import { COUNT_TREND, MONEY_TREND, shortDay, sum, trendOf } from '../admin/charts/trends'
import { Panel } from '../admin/Panel'
import { call } from '../api/call'
import { formatCalendarDate, formatCount, formatPrice, formatShortPrice } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { conversionOf, formatConversion, productsCsv, toWeeks, weeksCsv, zonesCsv } from './sales-metrics'

const salesQuery = (choice: DayRangeChoice) => {
  const search = toRangeSearch(choice)
  return {
    queryKey: ['admin', 'sales', search],
    queryFn: () => call(salesApi.sales, {}, { search }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  }
}

/** /admin/sales: revenue by day, product and delivery zone, and the conversion of page views to orders. */
export function SalesTab() {
  const [choice, setChoice] = useDayRange()
  const query = useQuery(salesQuery(choice))
  return (
    <div className="grid gap-12">
      <Panel
        title="Sales"
        note="What was paid on each day, less what was refunded on it. Days begin at midnight where the artist lives."
      >
        <DayRangePicker choice={choice} onChange={setChoice} today={query.data?.today} />
      </Panel>
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the sales', className: 'h-96' }}
        error="The figures for this period could not be loaded. Choose another or try again."
      >
        {(sales) => <SalesCharts sales={sales} />}
      </QueryBoundary>
    </div>
  )
}

function SalesCharts({ sales }: { sales: Sales }) {
  const { today, days, before, products, zones } = sales
  const weeks = toWeeks(sales)
  const fileSuffix = `${days[0]?.day}-to-${days.at(-1)?.day}`
  return (
    <>
      <ConversionMetrics sales={sales} />
      <TrendPanel
        title="Sales"
        range={{ today, days: days.map(({ day }) => day), before: before.map(({ day }) => day) }}
        trends={[
          trendOf(sales, 'revenueCents', 'Revenue', MONEY_TREND),
          trendOf(sales, 'orders', 'Paid orders', COUNT_TREND),
          trendOf(sales, 'views', 'Product page views', COUNT_TREND),
        ]}
      />
      <BarsPanel
        title="Revenue by week"
        note="Weeks begin on Monday; the first and the last can be shorter."
        points={weeks.map(({ from, revenueCents, beforeCents }) => ({
          label: shortDay(from),
          now: revenueCents,
          before: beforeCents,
        }))}
        format={formatPrice}
        formatAxis={formatShortPrice}
        table={
          <MetricsTable
            label="Revenue by week"
            headers={['Week from', 'Revenue', 'Before']}
            rows={weeks.map(({ from, revenueCents, beforeCents }) => [
              formatCalendarDate(from),
              formatPrice(revenueCents),
              formatPrice(beforeCents),
            ])}
          />
        }
        csv={{ name: `revenue-by-week-${fileSuffix}.csv`, text: () => weeksCsv(weeks) }}
        empty="No days yet."
      />
      <BarsPanel
        title="Revenue by product"
        note="Without delivery. Conversion is paid orders for each hundred views of the product’s page."
        points={products.map(({ name, revenueCents }) => ({ label: name, ...revenueCents }))}
        format={formatPrice}
        formatAxis={formatShortPrice}
        table={
          <MetricsTable
            label="Revenue by product"
            headers={['Product', 'Revenue', 'Units', 'Paid orders', 'Page views', 'Conversion']}
            rows={products.map(({ name, revenueCents, units, orders, views }) => [
              name,
              withBefore(revenueCents, formatPrice),
              withBefore(units),
              withBefore(orders),
              withBefore(views),
              `${formatConversion(conversionOf(orders.now, views.now))} (${formatConversion(conversionOf(orders.before, views.before))} before)`,
            ])}
          />
        }
        csv={{ name: `revenue-by-product-${fileSuffix}.csv`, text: () => productsCsv(products) }}
        empty="Nothing was sold or viewed in this period. Choose a longer range."
      />
      <BarsPanel
        title="Revenue by delivery zone"
        note="The whole order, with delivery and tax, by the zone of the delivery the buyer chose."
        points={zones.map(({ name, revenueCents }) => ({ label: name, ...revenueCents }))}
        format={formatPrice}
        formatAxis={formatShortPrice}
        table={
          <MetricsTable
            label="Revenue by delivery zone"
            headers={['Zone', 'Revenue', 'Paid orders']}
            rows={zones.map(({ name, revenueCents, orders }) => [
              name,
              withBefore(revenueCents, formatPrice),
              withBefore(orders),
            ])}
          />
        }
        csv={{ name: `revenue-by-zone-${fileSuffix}.csv`, text: () => zonesCsv(zones) }}
        empty="Nothing was sold in this period. Choose a longer range."
      />
    </>
  )
}

const withBefore = ({ now, before }: ComparedMetric, format: (value: number) => string = formatCount) =>
  `${format(now)} (${format(before)} before)`

/** Page views, orders and their ratio. */
function ConversionMetrics({ sales: { products } }: { sales: Sales }) {
  const totalsOf = (period: 'now' | 'before') => {
    const orders = sum(products.map((product) => product.orders[period]))
    const views = sum(products.map((product) => product.views[period]))
    return {
      orders: formatCount(orders),
      views: formatCount(views),
      conversion: formatConversion(conversionOf(orders, views)),
    }
  }
  const now = totalsOf('now')
  const before = totalsOf('before')
  const metrics = [
    ['Product page views', now.views, before.views],
    ['Purchases of a product', now.orders, before.orders],
    ['Conversion', now.conversion, before.conversion],
  ] as const
  return (
    <dl className="grid gap-6 sm:grid-cols-3">
      {metrics.map(([label, value, previousValue]) => (
        <div key={label} className="border-t-2 border-gold pt-3">
          <dt className="font-label text-muted">{label}</dt>
          <dd className="tabular-figures mt-1 font-display text-2xl">{value}</dd>
          <dd className="tabular-figures mt-1 text-sm text-muted">{previousValue} in the previous period</dd>
        </div>
      ))}
    </dl>
  )
}
