import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

/** Masters stay with their tracks, without their uploader. */
export const personalData: PersonalData = {
  name: 'releases',
  erase: ({ userId }) => [sql`UPDATE track_masters SET owner_id = NULL WHERE owner_id = ${userId}`],
}
