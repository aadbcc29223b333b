import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Export files may contain the subject's data, so an erasure expires them. Ballots are pseudonymous and stay. */
export const personalData: PersonalData = {
  name: 'exports',
  export: ({ userId }) => ({
    exportSchedules: sql`SELECT kind, columns, next_at, created_at FROM export_schedules WHERE user_id = ${userId}`,
  }),
  erase: ({ userId }) => [sql`DELETE FROM export_schedules WHERE user_id = ${userId}`],
  byAddress: {
    erase: ({ at }) => [
      sql`UPDATE exports SET expires_at = ${at} WHERE state = 'ready' AND kind <> 'golden-verse-votes' AND expires_at > ${at}`,
      // A running export starts again; its current worker loses the lease and stops.
      sql`UPDATE exports SET state = 'waiting', upload_id = NULL, leased_until = 0
        WHERE state = 'running' AND kind <> 'golden-verse-votes'`,
    ],
  },
}
