import { sql } from 'drizzle-orm'
import { eraseAccountEmails } from '../email/personal-data'
import type { PersonalData } from '../gdpr/personal-data'
import { identityHashes } from '../lib/keyed-hashes'

/** The user's row is emptied last, by gdpr/erase-user.ts, because other statements find data by its email address. */
export const personalData: PersonalData = {
  name: 'users',
  export: ({ userId }) => ({
    account: sql`SELECT id, username, email, email_verified_at, role, tier, points, referral_code, referred_by, phone_last2,
      leaderboard_opt_out, age_confirmed_at, age_wording, created_at, last_active_at,
      (SELECT role FROM team_members WHERE user_id = users.id) AS team_role FROM users WHERE id = ${userId}`,
    teamNotes: sql`SELECT text, created_at FROM supporter_notes WHERE user_id = ${userId} ORDER BY created_at`,
    savedViews: sql`SELECT list, name, search, created_at FROM saved_views WHERE user_id = ${userId} ORDER BY created_at`,
  }),
  erase: async ({ userId, at, identity }, { secret }) => [
    eraseAccountEmails(userId, ['inactive']),
    sql`DELETE FROM team_members WHERE user_id = ${userId}`,
    sql`DELETE FROM supporter_notes WHERE user_id = ${userId}`,
    sql`DELETE FROM saved_views WHERE user_id = ${userId}`,
    // Prevents a second referral bonus for the same mailbox or phone.
    sql`INSERT INTO referrals_had (hash, created_at)
      SELECT value, ${at} FROM json_each(${await identityHashes(secret, 'referral', identity)})
      WHERE EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND referred_by IS NOT NULL)`,
  ],
}
