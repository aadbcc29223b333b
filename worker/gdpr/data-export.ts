import { SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { type Millis, toIso } from '../lib/clock'
import { userSubject } from './erase-user'
import type { DataSubject, PersonalDataDeps } from './personal-data'
import { exportParts, toStatement } from './personal-data-registry'

/** Everything that is stored about one user, without hashes and secrets, for the file that they can download. */
export const exportUserData = (
  deps: Pick<Deps, 'db' | 'secret'>,
  userId: number,
  now: Millis,
): Promise<Record<string, unknown>> =>
  exportSubject(deps, userSubject(userId, now, { mailboxKey: null, phoneHash: null }))

/** Everything stored about the subject: rows by the part's name, and `writtenAt`. Queries run in one batch. */
export async function exportSubject(deps: PersonalDataDeps, subject: DataSubject): Promise<Record<string, unknown>> {
  const parts = await exportParts(subject, deps)
  const queries = parts.flatMap(([name, part]) =>
    part instanceof SQL ? [{ name, statement: toStatement(deps.db, part) }] : [],
  )
  const results = await deps.db.$client.batch<Record<string, unknown>>(queries.map(({ statement }) => statement))
  const queriedRows = new Map(queries.map(({ name }, index) => [name, results[index]?.results.map(withIsoDates) ?? []]))
  const entries = parts.map(async ([name, part]) => [name, part instanceof SQL ? queriedRows.get(name) : await part])
  return { writtenAt: toIso(subject.at), ...Object.fromEntries(await Promise.all(entries)) }
}

/** Replaces millisecond timestamps in `*_at` columns by ISO dates. */
function withIsoDates(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    name.endsWith('_at') && typeof value === 'number' ? toIso(value) : value,
  ])
  return Object.fromEntries(entries)
}
