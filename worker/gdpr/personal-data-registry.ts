import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { personalData as audit } from '../audit/personal-data'
import { personalData as auth } from '../auth/personal-data'
import { personalData as cart } from '../cart/personal-data'
import { personalData as challenge } from '../challenge/personal-data'
import { personalData as checkIn } from '../check-in/personal-data'
import { personalData as community } from '../community/personal-data'
import { personalData as concerts, deleteUnconfirmedAlerts } from '../concerts/personal-data'
import { combineResults } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import { personalData as downloads } from '../downloads/personal-data'
import { personalData as email } from '../email/personal-data'
import { personalData as exports } from '../exports/personal-data'
import { personalData as imports } from '../imports/personal-data'
import type { DailyJob } from '../jobs/job-runs'
import { deleteUnconfirmedSubscribers, personalData as newsletter } from '../newsletter/personal-data'
import { personalData as orders } from '../orders/personal-data'
import { personalData as points } from '../points/personal-data'
import { personalData as polls } from '../polls/personal-data'
import { personalData as releases } from '../releases/personal-data'
import { personalData as stockAlerts } from '../stock-alerts/personal-data'
import { personalData as subscriptions } from '../subscriptions/personal-data'
import { personalData as tracks } from '../tracks/personal-data'
import { personalData as uploads } from '../uploads/personal-data'
import { personalData as users } from '../users/personal-data'
import { personalData as inquiries } from './inquiries'
import type { DataSubject, ExportParts, PersonalData, PersonalDataDeps, UserSubject } from './personal-data'

/** Erasure runs in this order; no feature's statements depend on those of another. */
const REGISTRY: readonly PersonalData[] = [
  newsletter,
  concerts,
  challenge,
  orders,
  cart,
  downloads,
  stockAlerts,
  email,
  inquiries,
  exports,
  imports,
  audit,
  tracks,
  auth,
  checkIn,
  points,
  community,
  uploads,
  releases,
  polls,
  subscriptions,
  users,
]

/** Order of the parts in an export; a part that is not listed comes last. */
const PART_ORDER = [
  'account points votes polls likes posts postLikes reports goingTo checkIns',
  'newsletter showAlerts stockAlerts submissions inquiries orders mails contacts importedSales cart addresses redeemedCodes',
  'versesSent subscriptions paymentProvider cityRequests logins passkeys accessTokens emailChanges challengeVotes teamNotes savedViews versesRated exportSchedules',
].flatMap((parts) => parts.split(' '))

const isUser = (subject: DataSubject): subject is UserSubject => subject.userId !== null

/** Queries of everything that is stored about the subject, by the name of the part. */
export async function exportParts(
  subject: DataSubject,
  deps: PersonalDataDeps,
): Promise<[string, ExportParts[string]][]> {
  const parts: ExportParts[] = []
  for (const data of REGISTRY) {
    if (data.byAddress?.export) parts.push(data.byAddress.export(subject))
    if (data.export && isUser(subject)) parts.push(await data.export(subject, deps))
  }
  const position = (part: string) => (PART_ORDER.includes(part) ? PART_ORDER.indexOf(part) : PART_ORDER.length)
  return parts.flatMap(Object.entries<ExportParts[string]>).sort(([a], [b]) => position(a) - position(b))
}

/** Scalar queries of how many rows are found by the subject's address. */
export const addressCountQueries = (subject: DataSubject): Record<string, SQL> =>
  Object.assign({}, ...REGISTRY.map(({ byAddress }) => byAddress?.counts?.(subject)))

/** The erasing statements of every feature, each without the guard that `withGuard` appends. */
export async function eraseStatements(subject: DataSubject, deps: PersonalDataDeps): Promise<SQL[]> {
  const statements: SQL[] = []
  for (const data of REGISTRY) {
    if (data.byAddress) statements.push(...data.byAddress.erase(subject))
    if (data.erase && isUser(subject)) statements.push(...(await data.erase(subject, deps)))
  }
  return statements
}

/** Restricts an erasing statement to when `guard` holds inside the transaction. */
export const withGuard = (statement: SQL, guard: SQL): SQL => sql`${statement} AND ${guard}`

const dialect = new SQLiteAsyncDialect()

export const compileSql = (query: SQL) => dialect.sqlToQuery(query)

/** Prepares a query for a D1 batch. An INSERT skips rows that exist. */
export function toStatement(db: Db, query: SQL): D1PreparedStatement {
  const { sql: text, params } = compileSql(query)
  return db.$client.prepare(text.startsWith('INSERT') ? `${text} ON CONFLICT DO NOTHING` : text).bind(...params)
}

export const RETENTION_JOBS: readonly DailyJob[] = [
  ...REGISTRY.flatMap(({ retention = [] }) => retention),
  {
    name: 'Delete unconfirmed addresses',
    step: async (deps, at) =>
      combineResults([await deleteUnconfirmedSubscribers(deps, at), await deleteUnconfirmedAlerts(deps, at)]),
  },
]
