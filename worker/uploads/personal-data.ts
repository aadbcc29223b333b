import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Files of the user, used or not. What the site shows of an administrator's files stays (uploads/cleanup.ts). */
export const personalData: PersonalData = {
  name: 'uploads',
  erase: ({ userId }) => [sql`UPDATE uploads SET is_dropped = 1 WHERE owner_id = ${userId}`],
}
