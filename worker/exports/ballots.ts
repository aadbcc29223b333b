import { latestFinished } from '../challenge/challenge'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { sha256 } from '../lib/secret'
import { SOURCES } from './sources'
import { writeCsv } from './write'

/**
 * The R2 key of the latest finished challenge's ballots as CSV, written first where there is none of just these
 * ballots: the key carries a digest of the finalists' counts and names, so a ballot that moves makes another file.
 * @throws Refused `not_found` before a challenge has been finished.
 */
export async function ballotsKey(house: { db: Db; files: R2Bucket }, at: Millis): Promise<string> {
  const challenge = await latestFinished(house.db, at)
  const { results } = await house.db.$client
    .prepare('SELECT id, name, votes FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY id')
    .bind(challenge.id)
    .all()
  const newest = await house.db.$client
    .prepare('SELECT max(id) AS id FROM challenge_ballots WHERE challenge_id = ?1')
    .bind(challenge.id)
    .first<{ id: number | null }>()
  if (!newest?.id) throw new Refused('not_found', 'No vote was cast in this challenge.')
  const digest = await sha256(JSON.stringify([challenge.id, newest.id, results]))
  const key = `exports/ballots-${digest}.csv`
  if (!(await house.files.head(key)))
    await writeCsv({
      db: house.db.$client,
      files: house.files,
      key,
      source: SOURCES['golden-verse-votes'],
      only: { where: 'challenge_id = ?4', values: [challenge.id] },
    })
  return key
}
