import { sql } from 'drizzle-orm'
import type { AdminSubscriber } from '../contract/admin'
import { columnFilter, conditionFilter, daysFilter, type ListDefinition, matchesSearch } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'

type Row = Pick<AdminSubscriber, 'id' | 'email' | 'state'> & { city: string | null; at: Millis }

const id = sql`subscribers.rowid`

/** Newsletter subscribers, newest first, emails masked; a search finds a whole address. */
export const subscriberList: ListDefinition<Row, AdminSubscriber> = {
  select: sql`subscribers.id, email, state, city, created_at AS at`,
  from: sql`subscribers`,
  id,
  sorts: { joined: id },
  defaultSort: '-joined',
  filters: {
    state: columnFilter(sql`state`, ['pending', 'confirmed', 'unsubscribed']),
    city: conditionFilter({ given: sql`coalesce(city, '') <> ''`, none: sql`coalesce(city, '') = ''` }),
    joined: daysFilter(sql`created_at`),
  },
  search: (q) => ({ where: matchesSearch({ emails: [sql`subscribers.email_key`] }, q) }),
  toItem: ({ email, city, at, ...row }) => ({
    ...row,
    email: maskEmail(email),
    city: city ?? '',
    joinedAt: toIso(at),
  }),
}
