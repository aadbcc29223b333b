import type { Millis } from '../lib/clock'

export type Act = {
  actorId: number
  /** `noun.verb`, e.g. `session.opened`. */
  action: string
  /** What it was done to, as `kind:id`. */
  subject?: string
  /** What else matters; never a secret, never an address or a phone number. */
  detail?: Record<string, string | number | boolean | null>
  at: Millis
}

/** The statement that writes an administrator's act down, for the batch that performs it: neither stands alone. */
export function recorded(db: D1Database, act: Act): D1PreparedStatement {
  return written(db, act, 'true')
}

/** The same for an act that may find nothing to do: written only if the statement before it in the batch changed a row. */
export function recordedIfChanged(db: D1Database, act: Act): D1PreparedStatement {
  return written(db, act, 'changes() > 0')
}

/** The same of an act on many, with how many rows that statement changed as the detail's `many`. */
export function recordedWithCount(db: D1Database, act: Act): D1PreparedStatement {
  return written(db, act, 'changes() > 0', "json_set(?5, '$.many', changes())")
}

/** Writes an act down that changes nothing else: somebody looked at or fetched what is not everybody's. */
export async function writeDown(db: D1Database, act: Act): Promise<void> {
  await recorded(db, act).run()
}

function written(db: D1Database, { actorId, action, subject = '', detail = {}, at }: Act, when: string, told = '?5') {
  return db
    .prepare(
      `INSERT INTO audit_log (at, actor_id, action, subject, detail) SELECT ?1, ?2, ?3, ?4, ${told} WHERE ${when}`,
    )
    .bind(at, actorId, action, subject, JSON.stringify(detail))
}
