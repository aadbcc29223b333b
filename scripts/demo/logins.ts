import { hashPassword } from '../../worker/auth/password.ts'
import { artist } from './artist.ts'
import { SUPPORTERS } from './fans.ts'

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
