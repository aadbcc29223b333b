import type * as z from 'zod/mini'
import { requireActiveSession, type SessionStatusRow, withSessionStatus } from '../auth/require-session'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import { POINTS } from '../contract/point-rules'
import type { PointsAward } from '../contract/points'
import { type PollDraft, pollsApi } from '../contract/polls'
import { artistDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/completed-missions'

// In every statement: ?4 poll, ?5 title, ?6 now, ?7 the beginning of today, ?8 the ledger's key for today.
const FROM_TODAYS_POLLS = 'FROM polls WHERE created_by = ?1 AND created_at >= ?7'

/** ?9 description, ?10 end. The guard counts in the statement that writes: no race makes a fourth. */
export const INSERT_POLL = `
  WITH ${CALLER_CTE} INSERT INTO polls (id, title, created_by, official, created_at, description, ends_at)
  SELECT ?4, ?5, caller.id, caller.role = 'administrator', ?6, ?9, ?10 FROM caller
  WHERE (SELECT count(*) ${FROM_TODAYS_POLLS}) < ${limits.pollsPerUserPerDay} AND NOT EXISTS (SELECT 1 ${FROM_TODAYS_POLLS} AND title = ?5)
  RETURNING id`

/** Of a poll that was made: ?1 poll, ?2 its options as JSON, `[[id, title], ...]`. */
const INSERT_OPTIONS = `
  INSERT INTO poll_options (id, poll_id, title, position)
  SELECT o.value ->> 0, polls.id, o.value ->> 1, o.key + 1 FROM polls JOIN json_each(?2) o WHERE polls.id = ?1`

const INSERT_AWARD = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT created_by, 'poll_created', ?2, 'Created “' || title || '”', ${POINTS.poll_created}, created_at
  FROM polls WHERE id = ?1 ON CONFLICT DO NOTHING RETURNING points`

const OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  (SELECT count(*) ${FROM_TODAYS_POLLS}) AS today,
  EXISTS (SELECT 1 ${FROM_TODAYS_POLLS} AND title = ?5 AND id <> ?4) AS again,
  ${completedMissionsSql('?8', '?6')} AS fulfilled`)

type Outcome = SessionStatusRow & { total: number; today: number; again: number; fulfilled: string }
type Draft = z.output<typeof PollDraft>

/**
 * The bearer of `session` makes a poll, open for `limits.pollDurationDays`: the poll, its options and the day's points stand
 * together or not at all. The same title twice on a day is refused, so that a lost answer's retry makes no second poll.
 * @throws AppError `conflict`, `rate_limited`, `signed_out`, `forbidden`.
 */
export async function createPoll(
  db: Db,
  { session, draft, at }: { session: SessionPayload; draft: Draft; at: Millis },
): Promise<PointsAward & { id: string }> {
  const d1 = db.$client
  const today = await artistDay(d1, at)
  const id = newId('poll')
  const key = `poll_created:${today.key}`
  const binds = [...callerBinds(session), id, draft.title, at, today.beginsAt, key]
  const options = draft.options.map(({ title }) => [newId('option'), title])
  const [poll, , paid, explanation] = await d1.batch([
    d1.prepare(INSERT_POLL).bind(...binds, draft.description ?? '', at + limits.pollDurationDays * DAY_MS),
    d1.prepare(INSERT_OPTIONS).bind(id, JSON.stringify(options)),
    d1.prepare(INSERT_AWARD).bind(id, key),
    d1.prepare(OUTCOME).bind(...binds),
  ])
  const outcome = requireActiveSession(explanation?.results[0] as Outcome | undefined, pollsApi.create.signInMessage)
  if (poll?.results.length === 1) {
    const [row] = (paid?.results ?? []) as { points: number }[]
    const missions = parseCompletedMissions(outcome.fulfilled)
    return { id, pointsAwarded: row?.points ?? 0, totalPoints: outcome.total, missions }
  }
  if (outcome.again) throw new AppError('conflict', 'You have asked this today already.')
  throw new AppError(
    'rate_limited',
    `You can make ${limits.pollsPerUserPerDay} polls a day. Please come back tomorrow.`,
    {
      retryAfterSeconds: Math.ceil((today.endsAt - at) / SECOND_MS),
    },
  )
}
