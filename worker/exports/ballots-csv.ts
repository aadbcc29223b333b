import { getLatestVotedChallenge } from '../challenge/challenge'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { SOURCES } from './sources'
import { writeCsv } from './write'

/**
 * The R2 key of the ballots of the latest finished challenge that has any, as CSV, written first where it is not there.
 * Its votes are fixed: the key carries their digest.
 * @throws AppError `not_found` before a challenge with votes has been finished.
 */
export async function ensureBallotsCsv(deps: { db: Db; files: R2Bucket }, at: Millis): Promise<string> {
  const { id, ballotsSha256 } = await getLatestVotedChallenge(deps.db, at)
  const key = `exports/ballots-${ballotsSha256}.csv`
  if (!(await deps.files.head(key)))
    await writeCsv({
      db: deps.db.$client,
      files: deps.files,
      key,
      source: SOURCES['golden-verse-votes'],
      filter: { where: 'row.challenge_id = ?4', values: [id] },
    })
  return key
}
