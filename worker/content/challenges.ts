import { recorded, recordedIfChanged } from '../audit/audit'
import type { ChallengeDraft, DeskChallenge } from '../contract/site-content'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import type { By } from './rows'

const DAYS = `submissions_from AS submissionsFrom, submissions_until AS submissionsUntil, finalists_on AS finalistsOn,
  voting_from AS votingFrom, voting_until AS votingUntil, winner_on AS winnerOn, closed_on AS closedOn`

/** Every challenge, the latest first, with its finalists in their order. */
export async function deskChallenges(db: D1Database): Promise<DeskChallenge[]> {
  const { results } = await db
    .prepare(
      `SELECT id, title, prize, ${DAYS},
         (SELECT count(*) FROM challenge_ballots WHERE challenge_id = challenges.id) AS votes,
         (SELECT count(*) FROM verse_submissions WHERE challenge_id = challenges.id) AS submissions,
         (SELECT json_group_array(name) FROM
           (SELECT name FROM challenge_finalists WHERE challenge_id = challenges.id ORDER BY position)) AS finalists
       FROM challenges WHERE removed_at IS NULL ORDER BY winner_on DESC, id`,
    )
    .all<Omit<DeskChallenge, 'finalists'> & { finalists: string }>()
  return results.map((row) => ({ ...row, finalists: JSON.parse(row.finalists) }))
}

const valuesOf = (draft: ChallengeDraft) => [
  draft.title,
  draft.prize,
  draft.submissionsFrom,
  draft.submissionsUntil,
  draft.finalistsOn,
  draft.votingFrom,
  draft.votingUntil,
  draft.winnerOn,
  draft.closedOn,
]

/**
 * Keeps a challenge, a new one without `id`. Returns its id. Who stood for election stays once votes have been cast.
 * @throws Refused `not_found`, `conflict` for other finalists then.
 */
export async function keepChallenge(
  db: D1Database,
  draft: ChallengeDraft,
  id: string | null,
  { actorId, at }: By,
): Promise<string> {
  const before = id === null ? undefined : await known(db, id)
  const own = id ?? newId('challenge')
  const renamed = JSON.stringify(before?.finalists) !== JSON.stringify(draft.finalists)
  if (renamed && (before?.votes ?? 0) > 0)
    throw new Refused('conflict', 'Votes have been cast: the finalists and their order stay as they are.')
  const write = before
    ? `UPDATE challenges SET title = ?2, prize = ?3, submissions_from = ?4, submissions_until = ?5, finalists_on = ?6,
         voting_from = ?7, voting_until = ?8, winner_on = ?9, closed_on = ?10 WHERE id = ?1`
    : `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from,
         voting_until, winner_on, closed_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`
  const finalists = [
    // A vote that came in between is a reference: it stops the whole batch.
    db.prepare('DELETE FROM challenge_finalists WHERE challenge_id = ?1').bind(own),
    ...draft.finalists.map((name, place) =>
      db
        .prepare('INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES (?1, ?2, ?3, ?4)')
        .bind(newId('finalist'), own, name, place + 1),
    ),
  ]
  await db.batch([
    db.prepare(write).bind(own, ...valuesOf(draft)),
    ...(renamed ? finalists : []),
    recorded(db, {
      actorId,
      action: `challenge.${before ? 'changed' : 'added'}`,
      subject: `challenge:${own}`,
      at,
    }),
  ])
  return own
}

/** Takes a challenge in which nobody has taken part off the site. @throws Refused `not_found`, `conflict`. */
export async function removeChallenge(db: D1Database, id: string, { actorId, at }: By): Promise<void> {
  const [gone] = await db.batch([
    db
      .prepare(
        `UPDATE challenges SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM challenge_ballots WHERE challenge_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE challenge_id = ?1) RETURNING id`,
      )
      .bind(id, at),
    recordedIfChanged(db, { actorId, action: 'challenge.removed', subject: `challenge:${id}`, at }),
  ])
  if (gone?.results.length === 1) return
  await known(db, id)
  throw new Refused('conflict', 'People have taken part in this challenge: its record stays.')
}

async function known(db: D1Database, id: string): Promise<DeskChallenge> {
  const found = (await deskChallenges(db)).find((one) => one.id === id)
  if (!found) throw new Refused('not_found', 'That challenge does not exist.')
  return found
}
