import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Planned attendance and check-ins. An erasure retains check-ins, because ledger entries refer to them. */
export const personalData: PersonalData = {
  name: 'check-in',
  export: ({ userId }) => ({
    goingTo: sql`SELECT concerts.venue AS show, concerts.starts_at, is_named, created_at FROM show_goers
      JOIN concerts ON concerts.id = show_goers.concert_id WHERE user_id = ${userId} ORDER BY created_at`,
    checkIns: sql`SELECT concerts.venue AS show, concerts.starts_at, checked_in_at FROM check_ins
      JOIN concerts ON concerts.id = check_ins.concert_id WHERE user_id = ${userId} ORDER BY checked_in_at`,
  }),
  erase: ({ userId }) => [sql`DELETE FROM show_goers WHERE user_id = ${userId}`],
}
