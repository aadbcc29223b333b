import { sql } from 'drizzle-orm'
import { eraseAccountEmails } from '../email/personal-data'
import type { PersonalData } from '../gdpr/personal-data'
import { identityHashes } from '../lib/keyed-hashes'

/**
 * Erasure only marks the customer. `deleteErasedCustomers` later deletes it at the payment provider, which ends all
 * subscriptions.
 */
export const personalData: PersonalData = {
  name: 'subscriptions',
  export: ({ userId }) => ({
    subscriptions: sql`SELECT tier, status, trial_ends_at, period_ends_at, cancels FROM subscriptions WHERE user_id = ${userId}`,
    paymentProvider: sql`SELECT iif(customer_id GLOB 'pending:*', NULL, customer_id) AS customer_id, trial_used_at FROM billing_customers WHERE user_id = ${userId}`,
  }),
  erase: async ({ userId, at, identity }, { secret }) => [
    eraseAccountEmails(userId, ['trial_ending', 'membership_cancelled']),
    // Keyed hashes of the mailbox and phone number prevent a second trial.
    sql`INSERT INTO trials_had (hash, created_at) SELECT value, ${at} FROM json_each(${await identityHashes(secret, 'trial', identity)})
      WHERE EXISTS (SELECT 1 FROM billing_customers WHERE user_id = ${userId} AND trial_used_at IS NOT NULL)`,
    sql`UPDATE billing_customers SET forget_wanted_at = ${at} WHERE user_id = ${userId}`,
  ],
}
