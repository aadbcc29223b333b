import { recorded, recordedIfChanged } from '../audit/audit'
import { type ChallengeDraft, DAYS, type DeskChallenge } from '../contract/challenge-desk'
import { type Millis, wallClock } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { NEW_AND_OPEN } from './flags'
import { known, ROW, type Row, STANDING, sealOf, standingOf } from './known'
import { isRekeyed } from './pseudonyms'
import { begunDays, INSTANT_OF, INSTANTS, type Instants, instantsOf, stateOf } from './states'

type By = { actorId: number; at: Millis }
type DeskRow = Row & {
  submissions: number
  votes: number
  excluded: number
  openFlags: number
  openNewAccounts: number
  finalists: string
}

/** Every challenge, the latest first. Who leads is not told before the votes are fixed. */
export async function deskChallenges(
  { db, secret }: { db: D1Database; secret: string },
  at: Millis,
): Promise<DeskChallenge[]> {
  const { results } = await db
    .prepare(
      `SELECT ${ROW},
         (SELECT count(*) FROM verse_submissions WHERE challenge_id = challenges.id) AS submissions,
         (SELECT count(*) FROM challenge_ballots WHERE challenge_id = challenges.id) AS votes,
         (SELECT count(*) FROM challenge_ballots
           WHERE challenge_id = challenges.id AND excluded_for IS NOT NULL) AS excluded,
         (SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL) AS openFlags,
         (SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND ${NEW_AND_OPEN}) AS openNewAccounts,
         (SELECT json_group_array(json_object('id', id, 'name', name, 'submissionId', submission_id,
             'votes', iif(challenges.ballots_sha256 IS NULL, NULL, votes)))
           FROM (SELECT * FROM challenge_finalists WHERE challenge_id = challenges.id ORDER BY position)) AS finalists
       FROM challenges WHERE removed_at IS NULL ORDER BY publish_at DESC, id`,
    )
    .all<DeskRow>()
  const rekeyed = await Promise.all(results.map((row) => isRekeyed(secret, row)))
  return results.map((row, i) => ({
    id: row.id,
    ...draftOf(row),
    state: stateOf(row, at),
    opensByHand: stateOf(row, at) === 'finalists' && at >= row.votingOpensAt,
    fixed: begunDays(row, at),
    submissions: row.submissions,
    finalists: JSON.parse(row.finalists),
    votes: row.votes,
    excluded: row.excluded,
    openFlags: row.openFlags,
    openNewAccounts: row.openNewAccounts,
    isRekeyed: rekeyed[i] ?? false,
    seal: sealOf(row),
  }))
}

const draftOf = (row: Row): ChallengeDraft => ({
  title: row.title,
  prize: row.prize,
  rules: row.rules,
  submissionsFrom: row.submissionsFrom,
  submissionsUntil: row.submissionsUntil,
  finalistsOn: row.finalistsOn,
  votingFrom: row.votingFrom,
  votingUntil: row.votingUntil,
  winnerOn: row.winnerOn,
  closedOn: row.closedOn,
})

const WORDS = ['title', 'prize', 'rules'] as const
const COLUMNS = `title, prize, rules, ${DAYS.map(columnOf).join(', ')}, ${INSTANTS.map(columnOf).join(', ')}`
const valuesOf = (draft: ChallengeDraft, instants: Instants) => [
  draft.title,
  draft.prize,
  draft.rules,
  ...DAYS.map((day) => draft[day]),
  ...INSTANTS.map((instant) => instants[instant]),
]
const places = (count: number, from: number) => Array.from({ length: count }, (_, i) => `?${from + i}`).join(', ')

const zoneOf = async (db: D1Database) =>
  (await db.prepare('SELECT time_zone AS zone FROM site').first<{ zone: string }>())?.zone ?? 'UTC'

/** Announces a challenge. Returns its id. @throws Refused `bad_input` where its voting would be over already. */
export async function addChallenge(db: D1Database, draft: ChallengeDraft, { actorId, at }: By): Promise<string> {
  const id = newId('challenge')
  const instants = instantsOf(draft, await zoneOf(db))
  if (instants.votingClosesAt <= at)
    throw new Refused('bad_input', 'Voting would be over already. Please look at the days.')
  mustFollow(instants)
  const values = valuesOf(draft, instants)
  await db.batch([
    db.prepare(`INSERT INTO challenges (id, ${COLUMNS}) VALUES (?1, ${places(values.length, 2)})`).bind(id, ...values),
    recorded(db, { actorId, action: 'challenge.added', subject: `challenge:${id}`, at }),
  ])
  return id
}

/**
 * Changes what has not begun. A day that stays keeps its instant, which may have been moved by hand.
 * @throws Refused `not_found`, `conflict`, `bad_input` for a day that is over.
 */
export async function changeChallenge(
  db: D1Database,
  draft: ChallengeDraft,
  { id, actorId, at }: By & { id: string },
): Promise<void> {
  const row = await known(db, id)
  const zone = await zoneOf(db)
  const fixed = begunDays(row, at)
  const moved = DAYS.filter((day) => draft[day] !== row[day])
  if (moved.some((day) => fixed.includes(day)))
    throw new Refused('conflict', 'A stage that has begun keeps its day. Please look again.')
  if (moved.some((day) => draft[day] < wallClock(at, zone).date))
    throw new Refused('bad_input', 'A stage cannot be moved to a day that is over.')
  if (at >= row.submissionsOpenAt && (draft.prize !== row.prize || draft.rules !== row.rules))
    throw new Refused('conflict', 'Verses are being taken: the rules and the prize stay as their senders read them.')
  if (row.sealedAt !== null && draft.title !== row.title)
    throw new Refused('conflict', 'The votes are fixed: the title stays as it stands in the result.')
  if (row.sealedAt !== null && draft.winnerOn > row.winnerOn)
    throw new Refused('conflict', 'The votes are fixed: the winner is told on the day that was said, or before.')
  const made = instantsOf(draft, zone)
  const instants = { ...row }
  for (const day of moved) {
    const instant = INSTANT_OF[day]
    if (instant) instants[instant] = made[instant]
  }
  if (moved.length > 0) mustFollow(instants)
  const values = valuesOf(draft, instants)
  const set = COLUMNS.split(', ').map((column, i) => `${column} = ?${i + 3}`)
  const [changed] = await db.batch([
    db
      .prepare(
        // A later first day of voting opens it by itself again.
        `UPDATE challenges SET ${set.join(', ')}, opens_by_hand = opens_by_hand AND ?${set.length + 3}
         WHERE id = ?1 AND ${STANDING} = ?2 RETURNING id`,
      )
      .bind(id, standingOf(row), ...values, Number(instants.votingOpensAt <= at)),
    recordedIfChanged(db, {
      actorId,
      action: 'challenge.changed',
      subject: `challenge:${id}`,
      detail: Object.fromEntries(
        [...WORDS.filter((word) => draft[word] !== row[word]), ...moved].map((what) => [what, draft[what]]),
      ),
      at,
    }),
  ])
  if (!changed?.results.length) throw elsewhere()
}

/** By the days alone they might share one. */
function mustFollow({ submissionsCloseAt, votingOpensAt }: Instants): void {
  if (votingOpensAt < submissionsCloseAt)
    throw new Refused('bad_input', 'Voting begins after the last day of submissions.')
}

export const elsewhere = () => new Refused('conflict', 'Somebody else has just changed this. Please look again.')

/** Takes a challenge in which nobody has taken part off the site. @throws Refused `not_found`, `conflict`. */
export async function removeChallenge(db: D1Database, { id, actorId, at }: By & { id: string }): Promise<void> {
  const [gone] = await db.batch([
    db
      .prepare(
        `UPDATE challenges SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL AND sealed_at IS NULL
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

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
