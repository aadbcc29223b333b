import * as z from 'zod/mini'
import { AdminSupporter } from './admin'
import { del, get, managers, post } from './endpoint'
import { line, prose, timestamp } from './fields'
import { CustomerTotals } from './orders'

/** Points that an admin can add or remove at once. */
export const MAX_ADJUSTMENT = 1_000

/** A note of the team about a supporter; part of the supporter's data export. */
export const SupporterNote = z.object({ id: z.string(), text: z.string(), author: z.string(), createdAt: timestamp })
export type SupporterNote = z.infer<typeof SupporterNote>

/**
 * A supporter's page in the dashboard. The email address is masked; each list has the newest 20 entries, orders 200.
 */
export const SupporterDetails = z.object({
  ...AdminSupporter.shape,
  emailConfirmedAt: z.nullable(timestamp),
  /** Last two digits of the phone number; null without one. */
  phoneLast2: z.nullable(z.string()),
  showsOnLeaderboard: z.boolean(),
  referralCode: z.nullable(z.string()),
  referrals: z.int(),
  /** Available login methods. */
  logins: z.object({ password: z.boolean(), google: z.boolean(), passkeys: z.int() }),
  /** Consent to the newsletter; null if the address never subscribed. */
  newsletter: z.nullable(
    z.object({
      state: z.enum(['pending', 'confirmed', 'unsubscribed']),
      consentVersion: z.string(),
      consentAt: timestamp,
    }),
  ),
  orders: z.array(z.object({ id: z.string(), status: z.string(), amountCents: z.int(), createdAt: timestamp })),
  orderTotals: CustomerTotals,
  votes: z.array(
    z.object({
      poll: z.string(),
      option: z.string(),
      castAt: timestamp,
      state: z.enum(['counted', 'pending', 'excluded']),
    }),
  ),
  checkIns: z.array(z.object({ venue: z.string(), city: z.string(), checkedInAt: timestamp })),
  emails: z.array(z.object({ id: z.string(), subject: z.string(), state: z.string(), createdAt: timestamp })),
  notes: z.array(SupporterNote),
})
export type SupporterDetails = z.infer<typeof SupporterDetails>

const adjustment = z.int('Enter a whole number of points.').check(
  z.minimum(-MAX_ADJUSTMENT, 'Remove at most 1,000 points at once.'),
  z.maximum(MAX_ADJUSTMENT, 'Add at most 1,000 points at once.'),
  z.refine((points) => points !== 0, 'Enter how many points to add or remove.'),
)

/** `key` is random per change. A request with a key that was used changes nothing, so clients can retry. */
export const PointsAdjustment = z.strictObject({
  points: adjustment,
  reason: line(200, 'The reason'),
  key: z.uuid('Reload the page and try again.'),
})
export type PointsAdjustment = z.infer<typeof PointsAdjustment>

export const supporterPageApi = {
  supporter: get('/api/admin/supporters/:id', SupporterDetails, managers),
  reveal: post('/api/admin/supporters/:id/reveal', null, z.object({ email: z.nullable(z.string()) }), {
    ...managers,
    recentAuth: true,
    description: 'The unmasked address; audited.',
  }),
  adjustPoints: post('/api/admin/supporters/:id/points', PointsAdjustment, z.object({ totalPoints: z.int() }), {
    ...managers,
    description: 'Adds a ledger entry; audited with the reason. 409 `conflict` if the total would fall below zero.',
  }),
  addNote: post(
    '/api/admin/supporters/:id/notes',
    z.strictObject({ text: prose(2_000, 'The note').check(z.minLength(1, 'Write the note first.')) }),
    SupporterNote,
    { ...managers, status: 201 },
  ),
  removeNote: del('/api/admin/supporter-notes/:id', null, null, managers),
  logOut: post('/api/admin/supporters/:id/log-out', null, null, { ...managers, description: 'Ends all sessions.' }),
}
