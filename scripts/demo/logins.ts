import { hashPassword } from '../../worker/auth/password.ts'
import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import { artist } from './artist.ts'
import logins from './data/logins.json' with { type: 'json' }
import { pastShowStarts } from './shows.ts'
import { ledgerWriter, SUPPORTER_COUNT, streamSubject } from './supporters.ts'

/** The demo's only users with a password. Metrics leave them out. */
export const demoLogins = logins.map((login) => ({ ...login, email: `${login.username}@example.com` }))

/** The value of the worker's variable DEMO_ADMIN. */
export function demoAdminVar(): string {
  const admin = demoLogins.find(({ role }) => role === 'administrator')
  if (!admin) throw new Error('The demo has no administrator.')
  return `${admin.username}:${admin.password}`
}

const userId = (index: number) => SUPPORTER_COUNT + 1 + index

export const demoAdminId = userId(demoLogins.findIndex(({ role }) => role === 'administrator'))

export async function seedLogins(db: D1Database, now: number): Promise<void> {
  const rows = await Promise.all(
    demoLogins.map(async ({ username, email, password, role, tier }, index) => ({
      id: userId(index),
      username,
      username_key: username,
      email,
      email_key: email,
      mailbox_key: email,
      email_verified_at: now,
      password_hash: await hashPassword(password),
      role,
      tier,
      referral_code: `${artist.referralPrefix}${userId(index)}DEM`,
      is_demo_login: 1,
      created_at: now,
      last_active_at: now,
    })),
  )
  await insertRows(db, 'users', rows)
}

const STREAMS_BY_TIER: Record<string, number> = { silver: 12, gold: 60 }

/** Inserts ledger entries of the demo logins; the bronze one has none. */
export async function seedLoginHistory(db: D1Database, now: number): Promise<void> {
  const rows: Row[] = []
  for (const [index, { role, tier }] of demoLogins.entries()) {
    const streams = STREAMS_BY_TIER[tier] ?? 0
    if (role === 'administrator' || streams === 0) continue
    const add = ledgerWriter(rows, userId(index))
    for (let i = streams; i > 0; i--) {
      const at = Math.round(now - (i * 1.6 + 1) * DAY_MS)
      add('track_stream', streamSubject(1, at), 'Listened to the single', 5, at)
    }
    add('newsletter_signup', String(userId(index)), 'Joined the newsletter', 50, now - streams * DAY_MS)
    if (tier !== 'gold') continue
    for (const [show, startsAt] of pastShowStarts(now).slice(0, 2).entries())
      add('check_in', `past-${show}`, 'Was at the show', 250, startsAt)
  }
  await insertRows(db, 'ledger', rows)
}
