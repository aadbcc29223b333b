import { sql } from 'drizzle-orm'
import type { PersonalData } from '../gdpr/personal-data'

export const personalData: PersonalData = {
  name: 'downloads',
  export: ({ userId }) => ({
    redeemedCodes: sql`SELECT coalesce(releases.title, tracks.title) AS title, redeemed_at FROM download_codes
      JOIN download_code_batches b ON b.id = download_codes.batch_id
      LEFT JOIN releases ON 'release:' || releases.id = b.good LEFT JOIN tracks ON 'track:' || tracks.id = b.good
      WHERE download_codes.user_id = ${userId} ORDER BY redeemed_at`,
  }),
  erase: ({ userId }) => [sql`UPDATE download_codes SET user_id = NULL WHERE user_id = ${userId}`],
}
