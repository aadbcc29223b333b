import type { Millis } from '../lib/clock'
import { HOUR, SECOND } from '../lib/clock'
import { limits } from '../limits'
import { type Mail, type Outcome, type Provider, type Sender, sendMail } from './provider'
import { stopping, withoutStopped } from './stops'

export type Delivery = {
  db: D1Database
  /** Keys the hashes of addresses that are not written to. */
  secret: string
  provider: Provider
  from: Sender
  /** The clock: asked again for each handful. */
  now: () => Millis
  /** Leaves off at a handful in which the provider is busy, or takes none: the rest would hear the same. */
  pausing?: boolean
  /** Writes a row's mail where its own text is not all of it. */
  compose?: (row: Claimed) => Promise<Mail>
}

/** A row that has been claimed. */
export type Claimed = {
  id: string
  kind: string
  recipient: string
  subject: string
  text: string
  html: string
  headers: string
  attempts: number
}

const CLAIM = `
  UPDATE outbox SET claimed_at = ?2, attempts = attempts + 1
  WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL AND due_at <= ?2
    AND (broadcast_id IS NULL OR EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'sending'))
  RETURNING id, kind, recipient, subject, text, html, headers, attempts`

/** Nothing is left waiting of a broadcast that was cancelled while the mail was in a sender's hands. */
const CANCELLED = "EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state = 'cancelled')"

/** Which of these wait for a later instant, and for which. */
const STILL_DUE = `
  SELECT id, due_at AS dueAt FROM outbox
  WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'waiting' AND claimed_at IS NULL`

/**
 * Hands mails over, a handful at a time, but for those to addresses that must not be written to and copies of what
 * was cancelled: claimed in one statement, sent side by side, settled in one batch. Whoever claims first sends; a second delivery of the same message finds nothing to claim. Should the worker die in between,
 * a handful at the most is left claimed, and `markLost` says so. Returns the mails that wait, with their instants, and
 * whether it left off.
 */
export async function deliver(
  delivery: Delivery,
  ids: readonly string[],
): Promise<{ waiting: Map<string, Millis>; leftOff: boolean }> {
  const waiting = new Map<string, Millis>()
  const may = await withoutStopped(delivery, ids)
  for (let from = 0; from < may.length; from += limits.mailsAtOnce) {
    const { later, busy } = await handful(delivery, may.slice(from, from + limits.mailsAtOnce))
    for (const [id, due] of later) waiting.set(id, due)
    if (delivery.pausing && busy && later.size > 0) return { waiting, leftOff: true }
  }
  return { waiting, leftOff: false }
}

async function handful(delivery: Delivery, ids: readonly string[]) {
  const { db, secret, provider, from, now, compose = mailOf } = delivery
  const list = JSON.stringify(ids)
  const [taken, due] = await db.batch([db.prepare(CLAIM).bind(list, now()), db.prepare(STILL_DUE).bind(list)])
  const claimed = (taken?.results ?? []) as Claimed[]
  const notYet = (due?.results ?? []) as { id: string; dueAt: Millis }[]
  const waiting = new Map(notYet.map(({ id, dueAt }) => [id, dueAt]))
  const outcomes = await Promise.all(claimed.map(async (row) => sendMail(provider, await compose(row), from)))
  const settled = claimed.map((row, place) => settle(delivery, row, outcomes[place]!))
  const gone = claimed.filter((_, place) => isSuppressed(outcomes[place]!))
  const stops = await Promise.all(
    gone.map(({ id, recipient }) =>
      stopping({ db, secret }, { email: recipient, reason: 'suppressed', mailId: id, at: now() }),
    ),
  )
  const statements = [...settled.map(({ statement }) => statement), ...stops]
  if (statements.length > 0) await persistently(() => db.batch(statements))
  for (const { id, dueAt } of settled) if (dueAt !== null) waiting.set(id, dueAt)
  return { later: waiting, busy: outcomes.some(isBusy) || (outcomes.length > 0 && outcomes.every(isLater)) }
}

const isLater = ({ kind }: Outcome) => kind === 'later'
const isBusy = (outcome: Outcome) => outcome.kind === 'later' && outcome.busy === true
const isSuppressed = (outcome: Outcome) => outcome.kind === 'refused' && outcome.suppressed === true

const mailOf = async ({ id, kind, recipient, subject, text, html, headers }: Claimed): Promise<Mail> => ({
  key: id,
  kind,
  to: recipient,
  subject,
  text,
  html,
  headers: JSON.parse(headers) as Record<string, string>,
})

/** Half a minute, doubled with each try, an hour at the most. */
export const patience = (attempts: number): Millis => Math.min(30 * SECOND * 2 ** (attempts - 1), HOUR)

/** What an outcome does to its row. After too many tries a mail is failed, or in doubt where one of them got no answer: the administrator's to see and send again. */
function settle({ db, now, pausing }: Delivery, { id, attempts }: Claimed, outcome: Outcome) {
  const at = now()
  // A provider that has too much to do says nothing about this mail: a long list may hear it more often than any mail is tried.
  const uncounted = pausing === true && isBusy(outcome)
  const again = outcome.kind === 'later' && (uncounted || attempts < limits.mailTries)
  const dueAt = again ? at + Math.max(patience(attempts), outcome.afterMillis ?? 0) : null
  const inDoubt = outcome.kind === 'lost' || (outcome.kind === 'later' && outcome.doubt === true)
  const state = again ? 'waiting' : { sent: 'sent', later: null, refused: 'failed', lost: 'unknown' }[outcome.kind]
  const statement = db
    .prepare(
      `UPDATE outbox SET claimed_at = NULL, due_at = coalesce(?3, due_at), attempts = attempts - ?7, in_doubt = max(in_doubt, ?8),
         state = CASE WHEN ?2 IS NULL OR (?2 = 'waiting' AND ${CANCELLED}) THEN iif(max(in_doubt, ?8), 'unknown', 'failed') ELSE ?2 END,
         last_error = CASE WHEN ?2 = 'waiting' AND ${CANCELLED} THEN 'The broadcast was cancelled.' ELSE ?4 END,
         provider_id = ?5, sent_at = CASE ?2 WHEN 'sent' THEN ?6 ELSE sent_at END
       WHERE id = ?1 AND state = 'waiting' AND claimed_at IS NOT NULL`,
    )
    .bind(
      id,
      state,
      dueAt,
      'why' in outcome ? outcome.why : null,
      'providerId' in outcome ? outcome.providerId : null,
      at,
      Number(uncounted),
      Number(inDoubt),
    )
  return { id, dueAt, statement }
}

/** What happened outside must be written down: a database that hiccups is asked twice more before it counts as lost. */
async function persistently<T>(write: () => Promise<T>): Promise<T> {
  return write().catch(write).catch(write)
}
