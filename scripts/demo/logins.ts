import { hashPassword } from '../../worker/auth/password.ts'
import { artist } from './artist.ts'
import { SUPPORTERS } from './fans.ts'
import { insertRows, type Row } from './insert.ts'

export type DemoLogin = {
  username: string
  email: string
  password: string
  tier: 'bronze' | 'silver' | 'gold'
  role: 'supporter' | 'administrator'
}

/** Everybody who can log in to the demo: one supporter of each tier, and the administrator. Counted in no figure. */
export const demoLogins: readonly DemoLogin[] = [
  {
    username: 'bronzefan',
    email: 'bronzefan@example.com',
    password: 'gilt-tide-bronze',
    tier: 'bronze',
    role: 'supporter',
  },
  {
    username: 'silverfan',
    email: 'silverfan@example.com',
    password: 'gilt-tide-silver',
    tier: 'silver',
    role: 'supporter',
  },
  { username: 'goldfan', email: 'goldfan@example.com', password: 'gilt-tide-gold', tier: 'gold', role: 'supporter' },
  {
    username: 'admin',
    email: 'admin@example.com',
    password: 'gilt-tide-backstage',
    tier: 'bronze',
    role: 'administrator',
  },
]

/** The demo administrator as `/api/config` tells the login page, for the worker's variable DEMO_ADMIN. */
export function demoAdminVar(): string {
  const admin = demoLogins.find(({ role }) => role === 'administrator')
  if (!admin) throw new Error('The demo has no administrator.')
  return `${admin.username}:${admin.password}`
}

/** Writes the demo logins, numbered after the seeded supporters; rows that are there stay as they are. */
export async function seedLogins(db: D1Database, now: number): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO users (id, username, username_key, email, email_key, mailbox_key, email_verified_at, password_hash, role, tier,
       referral_code, is_demo_login, created_at, last_active_at)
     VALUES (?1, ?2, ?2, ?3, ?3, ?3, ?7, ?4, ?5, ?6, ?8, 1, ?7, ?7) ON CONFLICT DO NOTHING`,
  )
  const rows = await Promise.all(
    demoLogins.map(async ({ username, email, password, role, tier }, index) => {
      const id = SUPPORTERS + 1 + index
      const code = `${artist.referralPrefix}${id}DEM`
      return insert.bind(id, username, email, await hashPassword(password), role, tier, now, code)
    }),
  )
  await db.batch(rows)
}

const DAY = 24 * 60 * 60 * 1000

/** What the demo's log-ins have done before: months of it for gold, a few weeks for silver, nothing yet for bronze. */
export async function seedHistories(db: D1Database, now: number): Promise<void> {
  const rows: Row[] = []
  const since = { bronze: 0, silver: 12, gold: 60 }
  for (const [index, { role, tier }] of demoLogins.entries()) {
    const user = SUPPORTERS + 1 + index
    if (role === 'administrator' || since[tier] === 0) continue
    const paid = (action: string, subject: string, description: string, points: number, when: number) =>
      rows.push([user, action, `${action}:${subject}`, description, points, Math.round(when)])
    for (let listen = since[tier]; listen > 0; listen--) {
      const when = now - (listen * 1.6 + 1) * DAY
      const day = new Date(when).toISOString().slice(0, 10).replaceAll('-', '')
      paid('track_stream', `1:${day}`, 'Listened to the single', 5, when)
    }
    paid('newsletter_signup', String(user), 'Joined the newsletter', 50, now - since[tier] * DAY)
    if (tier === 'gold')
      for (const show of [0, 1]) paid('check_in', `past-${show}`, 'Was at the show', 250, now - (20 + show * 31) * DAY)
  }
  await insertRows(db, 'ledger', ['user_id', 'action', 'key', 'description', 'points', 'created_at'], rows)
}
