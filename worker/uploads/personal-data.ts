import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Deletes the user's files, except those of an administrator that the site uses (uploads/cleanup.ts). */
export const personalData: PersonalData = {
  name: 'uploads',
  erase: ({ userId }) => [sql`UPDATE uploads SET is_dropped = 1 WHERE owner_id = ${userId}`],
}
