import { randomUUID } from 'node:crypto'

// The rows of scripts/e2e-server.ts have names unique to a run, because its state may be reused. The first process of a
// run sets E2E_RUN; the others inherit it.
process.env.E2E_RUN ??= randomUUID().slice(0, 8)
const e2eRun = process.env.E2E_RUN

/** The admin of the second-factor test; other tests share the demo's. */
export const SECOND_FACTOR_ADMIN = {
  username: `boss-${e2eRun}`,
  email: `boss-${e2eRun}@mail.example`,
  password: 'four quiet gulls over water',
}

/** A copy of the seeded demo for the second-artist test. `values.json` there lists names of the demo artist. */
export const SEEDED_STATE = '.wrangler/e2e-seeded'

/** A city with subscribers, and a broadcast that was sent to them. */
export const BROADCAST_CITY = `Port ${e2eRun}`
export const PAST_BROADCAST = `Earlier ${BROADCAST_CITY}`
export const SUBSCRIBER_COUNT = 30
export const subscriberEmail = (n: number) => `port-${e2eRun}-${n}@mail.example`
