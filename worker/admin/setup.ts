import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '../audit/audit'
import { SETUP_STEPS, type Setup, type SetupStepId } from '../contract/setup'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import type { Config } from '../env'
import { site } from '../site/site.table'

/** GLOB pattern for the images that `npm run site:init` stores; any other image was uploaded. */
const DEFAULT_IMAGE_URLS = '/media/house/*'

type Row = Record<Exclude<SetupStepId, 'payments'>, 0 | 1> & { isHidden: 0 | 1 }

/** The setup steps of a new site. A step is done once the rows or the configuration that it asks for exist. */
export async function readSetup(db: Db, { payments }: Pick<Config, 'payments'>): Promise<Setup> {
  const { results } = await prepare(
    db,
    sql`SELECT
      EXISTS (SELECT 1 FROM site WHERE name <> '' AND description <> '') AS name,
      EXISTS (SELECT 1 FROM site WHERE hero_url NOT GLOB ${DEFAULT_IMAGE_URLS}
        AND hero_portrait_url NOT GLOB ${DEFAULT_IMAGE_URLS}) AS artwork,
      EXISTS (SELECT 1 FROM releases r JOIN release_tracks rt ON rt.release_id = r.id
        JOIN tracks t ON t.id = rt.track_id WHERE r.removed_at IS NULL AND t.removed_at IS NULL) AS release,
      EXISTS (SELECT 1 FROM concerts WHERE removed_at IS NULL) AS show,
      EXISTS (SELECT 1 FROM outbox WHERE state = 'sent') AS email,
      (SELECT count(*) FROM team_members) > 1 AS team,
      EXISTS (SELECT 1 FROM site WHERE setup_hidden_at IS NOT NULL) AS isHidden`,
  ).all<Row>()
  const row = results[0] as Row
  const isDone = (id: SetupStepId) => (id === 'payments' ? payments.provider !== 'off' : row[id] === 1)
  return { steps: SETUP_STEPS.map((id) => ({ id, isDone: isDone(id) })), isHidden: row.isHidden === 1 }
}

/** Hides the steps from the owners' overview, or shows them again. */
export async function setSetupHidden(db: Db, isHidden: boolean, { actorId, at }: Actor): Promise<void> {
  const update = db
    .update(site)
    .set({ setupHiddenAt: isHidden ? at : null })
    .where(eq(site.id, 1))
  const action = isHidden ? 'site.steps_hidden' : 'site.steps_shown'
  await db.$client.batch([prepare(db, update), recordAudit(db, { actorId, action, at })])
}
