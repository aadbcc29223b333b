import { randomUUID } from 'node:crypto'

// Names of what scripts/e2e-server.ts puts into the house before it is opened to the journeys. They are new in each run, for
// the house is kept: Playwright's configuration is read by every process of a run, and the first one draws them.
process.env.E2E_RUN ??= randomUUID().slice(0, 8)
const run = process.env.E2E_RUN

/** An administrator whom the command made, for the journey of the second factor: the other journeys share the demo's. */
export const ADMINISTRATOR = {
  username: `boss-${run}`,
  email: `boss-${run}@mail.example`,
  password: 'four quiet gulls over water',
}

/** A city with thirty readers, and a letter to it of which one copy was refused and one answer was lost. */
export const CITY = `Port ${run}`
export const EARLIER = `Earlier ${CITY}`
export const READERS = 30
export const reader = (n: number) => `port-${run}-${n}@mail.example`
