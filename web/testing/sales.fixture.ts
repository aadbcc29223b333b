import type { Sales } from '../../worker/contract/sales'

const day = (date: string, revenueCents: number) => ({ day: date, revenueCents, orders: 1, views: 10 })
/** Four days whose first is a Saturday, and the four days before. */
export const SALES: Sales = {
  today: '2026-07-07',
  days: [day('2026-07-04', 100), day('2026-07-05', 200), day('2026-07-06', 400), day('2026-07-07', -50)],
  before: [day('2026-06-30', 1), day('2026-07-01', 2), day('2026-07-02', 4), day('2026-07-03', 8)],
  products: [
    {
      id: 'clip',
      name: 'Clip',
      revenueCents: { now: 650, before: 15 },
      units: { now: 4, before: 4 },
      orders: { now: 2, before: 4 },
      views: { now: 40, before: 0 },
    },
  ],
  zones: [{ name: 'Europe', revenueCents: { now: 650, before: 15 }, orders: { now: 4, before: 4 } }],
}
