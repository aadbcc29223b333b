import { recordAuditIfChanged } from '../audit/audit'
import type { AdminMission, MissionDraft } from '../contract/admin-content'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import type { Actor } from './crud'

type MissionRow = Omit<AdminMission, 'isStreak' | 'isActive'> & { isStreak: number; isActive: number }

/** Every mission, those that run first, each group in its order. */
export async function listMissions(db: D1Database): Promise<AdminMission[]> {
  const { results } = await db
    .prepare(
      `SELECT id, title, description, points, action, target, within_days AS withinDays, is_streak AS isStreak, position,
         is_active AS isActive, times_paid AS timesPaid
       FROM missions ORDER BY is_active DESC, position, id`,
    )
    .all<MissionRow>()
  return results.map((row) => ({ ...row, isStreak: row.isStreak === 1, isActive: row.isActive === 1 }))
}

const INSERT_MISSION = `INSERT INTO missions (id, title, description, position, points, action, target, within_days, is_streak)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id`
/** The ledger cannot be rewritten, so neither can what it has paid for: asked in the statement that would do it. */
const UPDATE_MISSION = `UPDATE missions SET title = ?2, description = ?3, position = ?4, points = ?5, action = ?6, target = ?7,
    within_days = ?8, is_streak = ?9
  WHERE id = ?1 AND (times_paid = 0
    OR points = ?5 AND action = ?6 AND target = ?7 AND within_days IS ?8 AND is_streak = ?9) RETURNING id`

/**
 * Keeps a mission, a new one without `id`. Returns its id. Of one that was paid the words and the place may change.
 * @throws AppError `not_found`, `conflict` for another act, number or sum then.
 */
export async function saveMission(
  db: D1Database,
  draft: MissionDraft,
  id: string | null,
  { actorId, at }: Actor,
): Promise<string> {
  const missionId = id ?? newId('mission')
  const { title, description, position, points, action, target, withinDays, isStreak } = draft
  const [result] = await db.batch([
    db
      .prepare(id === null ? INSERT_MISSION : UPDATE_MISSION)
      .bind(missionId, title, description, position, points, action, target, withinDays, Number(isStreak)),
    recordAuditIfChanged(db, {
      actorId,
      action: `mission.${id === null ? 'added' : 'changed'}`,
      subject: `mission:${missionId}`,
      at,
    }),
  ])
  if (result?.results.length === 1) return missionId
  if (!(await db.prepare('SELECT 1 FROM missions WHERE id = ?1').bind(missionId).first())) throw unknownMissionError()
  throw new AppError(
    'conflict',
    'Supporters have fulfilled this mission: what it asks and pays stays. End it, and add a new one.',
  )
}

/** Ends a mission, or lets it run again. What it has paid stays. @throws AppError `not_found`. */
export async function setMissionActive(
  db: D1Database,
  id: string,
  isActive: boolean,
  { actorId, at }: Actor,
): Promise<void> {
  const [result] = await db.batch([
    db.prepare('UPDATE missions SET is_active = ?2 WHERE id = ?1 RETURNING id').bind(id, Number(isActive)),
    recordAuditIfChanged(db, {
      actorId,
      action: `mission.${isActive ? 'resumed' : 'ended'}`,
      subject: `mission:${id}`,
      at,
    }),
  ])
  if (result?.results.length !== 1) throw unknownMissionError()
}

const unknownMissionError = () => new AppError('not_found', 'That mission does not exist.')
