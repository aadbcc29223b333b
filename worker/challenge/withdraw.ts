import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { unseal } from '../lib/signature'
import { uploadsRemoved } from '../uploads/sweep'
import { known } from './known'
import { OWN_VERSE } from './mine'
import { NAMELESS_VERSE } from './nameless'
import { TOLD_AT } from './told'

/** What the link of the mail is sealed for. */
export const WITHDRAW = 'verse-withdraw'

type House = { db: D1Database; files: R2Bucket }

/** ?1 verse, ?2 now. A pick of the desk that nobody has been told of holds no verse back. */
const UNPICKED = `DELETE FROM challenge_finalists WHERE submission_id = ?1 AND EXISTS (
  SELECT 1 FROM challenges c WHERE c.id = challenge_id AND c.sealed_at IS NULL AND ${TOLD_AT} > ?2)`
/** ?1 verse. Who is a finalist by now is the public's already. */
const MAY_GO = 'id = ?1 AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = ?1)'
/** While verses are taken another may be sent instead; afterwards it stays counted, without anything of its sender. */
const DELETED = `DELETE FROM verse_submissions WHERE ${MAY_GO}
  AND (SELECT submissions_close_at FROM challenges WHERE id = challenge_id) > ?2 RETURNING id`
/**
 * ?1 verse. The mail that answered it holds the address and the stage name, and so does the one to a finalist whom the desk
 * has taken off again.
 */
const UNMAILED = `DELETE FROM outbox WHERE dedupe_key IN ('verse:' || ?1, 'finalist:' || ?1)
  AND EXISTS (SELECT 1 FROM verse_submissions WHERE ${MAY_GO})`
const EMPTIED = `UPDATE verse_submissions SET ${NAMELESS_VERSE} WHERE ${MAY_GO} AND email <> 'deleted' RETURNING id`

/**
 * Takes a verse back for who holds the link of its mail: everything of its sender is deleted. A second press finds it done.
 * @throws Refused `bad_token`, `conflict` for a finalist.
 */
export async function withdrawByMail(
  { secret, ...house }: House & { secret: string },
  token: string,
  at: Millis,
): Promise<void> {
  const id = await unseal(secret, WITHDRAW, token)
  if (id === null) throw new Refused('bad_token', 'This link does not work. Please use the one in the mail.')
  await withdrawn(house, id, at)
}

/** The same for one's own verse, logged in. @throws Refused `not_found`, `conflict`. */
export async function withdrawOwn(
  house: House,
  { challengeId, userId, at }: { challengeId: string; userId: number; at: Millis },
): Promise<void> {
  await known(house.db, challengeId)
  const verse = await house.db
    .prepare(`SELECT v.id FROM verse_submissions v WHERE ${OWN_VERSE} ORDER BY v.user_id IS NULL LIMIT 1`)
    .bind(challengeId, userId)
    .first<{ id: string }>()
  if (!verse) throw new Refused('not_found', 'You have no verse in this challenge.')
  await withdrawn(house, verse.id, at)
}

async function withdrawn({ db, files }: House, id: string, at: Millis): Promise<void> {
  const [, verse, , ...gone] = await db.batch<{ audioKey: string | null; isFinalist: number }>([
    db.prepare(UNPICKED).bind(id, at),
    db
      .prepare(
        `SELECT audio_key AS audioKey, EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = ?1) AS isFinalist
         FROM verse_submissions WHERE id = ?1`,
      )
      .bind(id),
    db.prepare(UNMAILED).bind(id),
    db.prepare(DELETED).bind(id, at),
    db.prepare(EMPTIED).bind(id),
  ])
  const [row] = verse?.results ?? []
  if (row?.isFinalist)
    throw new Refused('conflict', 'You are a finalist, and your verse is public. Please write to us to take it back.')
  // Where this fails, the daily sweep finds a recording that nothing names.
  if (row?.audioKey && gone.some(({ results }) => results.length > 0))
    await uploadsRemoved({ db, files }, [row.audioKey]).catch(() => undefined)
}
