import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Marks the user's files for deletion. Files that the site still uses remain (uploads/cleanup.ts). */
export const personalData: PersonalData = {
  name: 'uploads',
  erase: ({ userId }) => [sql`UPDATE uploads SET is_dropped = 1 WHERE owner_id = ${userId}`],
}
