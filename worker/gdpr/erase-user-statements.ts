import { type DataSubjectSql, eraseAddressStatements, eraseVerseStatements, guestOrdersSql } from './email-address-data'

// What is found by an address is theirs only if the address is: anybody may sign up with anybody's.
const VERIFIED_EMAIL_KEY = 'SELECT email_key FROM users WHERE id = ?1 AND email_verified_at IS NOT NULL'
const VERIFIED_EMAIL_SPELLINGS = `${VERIFIED_EMAIL_KEY} UNION SELECT lower(email) FROM users WHERE id = ?1 AND email_verified_at IS NOT NULL`
/** A supporter, ?1 their id: their own orders, and what a visitor ordered with their address, not another account's. */
export const SUPPORTER_SUBJECT: DataSubjectSql = {
  emailKey: VERIFIED_EMAIL_KEY,
  emailSpellings: VERIFIED_EMAIL_SPELLINGS,
  orders: `SELECT id FROM orders WHERE user_id = ?1 UNION ${guestOrdersSql(VERIFIED_EMAIL_SPELLINGS)}`,
}
/** Mails about the account itself: written to its address whether anybody confirmed that or not. */
const ACCOUNT_EMAIL_KINDS = `('verify', 'reset', 'confirm', 'password_changed', 'inactive', 'trial_ending', 'membership_cancelled')`
/** Reversals that say in words why; the act's key stands behind their `undo:`. */
const REVERSAL_WITH_REASON = `user_id = ?1 AND key > 'undo:' AND key < 'undo;'
  AND (description LIKE 'Taken back: %' OR description LIKE 'A post was removed: %')`

/**
 * What erasing a person does besides their own row, in this order: what is found by the address goes before the address
 * does. ?1 the person, ?2 now, ?3 how their wishes for a city are signed, ?4 their `trialHashes`, ?5 the same for
 * referrals. Each ends so that `AND` can follow.
 */
export const ERASE_USER_STATEMENTS: readonly string[] = [
  ...eraseAddressStatements(SUPPORTER_SUBJECT),
  `DELETE FROM privacy_inquiries WHERE email_key = (${VERIFIED_EMAIL_KEY})`,
  `DELETE FROM show_alerts WHERE entry_key = 'phone:' || (SELECT phone_hash FROM users WHERE id = ?1)`,
  `DELETE FROM outbox WHERE lower(recipient) IN (
     SELECT email_key FROM users WHERE id = ?1 UNION SELECT lower(email) FROM users WHERE id = ?1) AND +kind IN ${ACCOUNT_EMAIL_KINDS}`,
  // Why an act was undone may name them: gone from their history and from the audit.
  `UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject IN (
     SELECT 'user:' || ?1 UNION SELECT 'post:' || id FROM posts WHERE author_id = ?1
     UNION SELECT 'ledger:' || act.id FROM ledger undone JOIN ledger act
       ON act.user_id = undone.user_id AND act.key = substr(undone.key, 6)
       WHERE undone.user_id = ?1 AND undone.key > 'undo:' AND undone.key < 'undo;')
   AND json_extract(detail, '$.reason') IS NOT NULL`,
  ...eraseVerseStatements('user_id = ?1'),
  `UPDATE city_requests SET requester = 'anonymous:' || lower(hex(randomblob(12))) WHERE requester = ?3`,
  `DELETE FROM stream_reports WHERE listener = 'u' || ?1`,
  'DELETE FROM mail_tokens WHERE user_id = ?1',
  'DELETE FROM identities WHERE user_id = ?1',
  'DELETE FROM authenticators WHERE user_id = ?1',
  'DELETE FROM recovery_codes WHERE user_id = ?1',
  'DELETE FROM show_goers WHERE user_id = ?1',
  `UPDATE ledger SET description = 'Taken back' WHERE ${REVERSAL_WITH_REASON}`,
  `UPDATE ledger SET description = 'Created a poll' WHERE user_id = ?1 AND action = 'poll_created' AND points > 0`,
  // The points of a post stay with the ledger; its words go. What has a title was written for the artist, and stays.
  `UPDATE posts SET text = '', picture_id = NULL, picture_alt = '', link_url = NULL,
     removed_for = iif(removed_for IS NULL, NULL, '') WHERE author_id = ?1 AND title = ''`,
  // Files that nothing came of, too; what the site names of an administrator's stays, whatever this says of it.
  'UPDATE uploads SET is_dropped = 1 WHERE owner_id = ?1',
  `UPDATE post_reports SET reason = '' WHERE user_id = ?1`,
  `UPDATE post_reports SET reason = '' WHERE post_id IN (SELECT id FROM posts WHERE author_id = ?1)`,
  // A poll's votes are other people's and stay; its words were this person's, who may stand in them. What
  // somebody made as an administrator is the artist's, also when they are none any more. privacy/histories.ts goes on with the voters' histories.
  `UPDATE poll_options SET title = 'Option ' || position WHERE poll_id IN (
     SELECT id FROM polls WHERE created_by = ?1 AND official = 0)`,
  `UPDATE polls SET title = 'A deleted poll', description = '', hidden_at = coalesce(hidden_at, ?2),
     title_forgotten_up_to = 0 WHERE created_by = ?1 AND official = 0`,
  // The provider deletes its customer, which ends every subscription: subscriptions/forget.ts.
  `INSERT INTO trials_had (hash, created_at) SELECT value, ?2 FROM json_each(?4)
   WHERE EXISTS (SELECT 1 FROM billing_customers WHERE user_id = ?1 AND trial_used_at IS NOT NULL)`,
  // A bonus that was paid stays paid, and is not paid for the same person again.
  `INSERT INTO referrals_had (hash, created_at) SELECT value, ?2 FROM json_each(?5)
   WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1 AND referred_by IS NOT NULL)`,
  'UPDATE billing_customers SET forget_wanted_at = ?2 WHERE user_id = ?1',
  // The desk is left with it, which is an act like any other there.
  `INSERT INTO audit_log (at, actor_id, action, subject, detail)
   SELECT ?2, ?1, 'administrator.left', 'user:' || ?1, '{}' FROM users WHERE id = ?1 AND role = 'administrator'`,
]
