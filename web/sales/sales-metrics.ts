import type { Sales } from '../../worker/contract/sales'
import { csvText } from '../lib/csv'
import { formatCents } from '../lib/format'

type Week = { from: string; revenueCents: number; beforeCents: number }

/** Revenue by week (Monday to Sunday), with that of the compared days. The first and last week may be incomplete. */
export function toWeeks({ days, before }: Pick<Sales, 'days' | 'before'>): Week[] {
  const weeks: Week[] = []
  days.forEach(({ day, revenueCents }, index) => {
    const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1
    if (weeks.length === 0 || isMonday) weeks.push({ from: day, revenueCents: 0, beforeCents: 0 })
    const week = weeks.at(-1)
    if (!week) return
    week.revenueCents += revenueCents
    week.beforeCents += before[index]?.revenueCents ?? 0
  })
  return weeks
}

/** Orders per hundred views; null without views. */
export const conversionOf = (orders: number, views: number): number | null =>
  views === 0 ? null : (orders / views) * 100

export const formatConversion = (percent: number | null): string => (percent === null ? '–' : `${percent.toFixed(1)}%`)

export const weeksCsv = (weeks: readonly Week[]) =>
  csvText([
    ['Week from', 'Revenue', 'Revenue before'],
    ...weeks.map(({ from, revenueCents, beforeCents }) => [from, formatCents(revenueCents), formatCents(beforeCents)]),
  ])

export const productsCsv = (products: Sales['products']) =>
  csvText([
    [
      'Product',
      'Revenue',
      'Units',
      'Orders',
      'Page views',
      'Revenue before',
      'Units before',
      'Orders before',
      'Page views before',
    ],
    ...products.map(({ name, revenueCents, units, orders, views }) => [
      name,
      ...[formatCents(revenueCents.now), units.now, orders.now, views.now].map(String),
      ...[formatCents(revenueCents.before), units.before, orders.before, views.before].map(String),
    ]),
  ])

export const zonesCsv = (zones: Sales['zones']) =>
  csvText([
    ['Delivery zone', 'Revenue', 'Orders', 'Revenue before', 'Orders before'],
    ...zones.map(({ name, revenueCents, orders }) => [
      name,
      ...[formatCents(revenueCents.now), orders.now, formatCents(revenueCents.before), orders.before].map(String),
    ]),
  ])
