import { randomUUID } from 'node:crypto'

// Unique names per run for the rows of scripts/e2e-server.ts, because its state may be reused. The first process
// of a run chooses them; the others inherit the environment.
process.env.E2E_RUN ??= randomUUID().slice(0, 8)
const run = process.env.E2E_RUN

/** An admin for the second-factor test; other tests share the demo's. */
export const ADMINISTRATOR = {
  username: `boss-${run}`,
  email: `boss-${run}@mail.example`,
  password: 'four quiet gulls over water',
}

/** A city with thirty subscribers and a broadcast to them. */
export const CITY = `Port ${run}`
export const EARLIER = `Earlier ${CITY}`
export const READERS = 30
export const reader = (n: number) => `port-${run}-${n}@mail.example`
