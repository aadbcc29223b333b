import { cpSync, createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { hashPassword } from '../worker/auth/password.ts'
import { adminStatements } from './admin-create.ts'
import { seedDemo } from './demo/seed.ts'
import { setup as prebuild, WORKER_BUNDLE } from './races/prebuilt.ts'
import { runtimeOptions } from './races/runtime-options.ts'
import { ensureSecrets, withLocalBindings } from './tools/bindings.ts'
import {
  BROADCAST_CITY,
  PAST_BROADCAST,
  SECOND_FACTOR_ADMIN,
  SEEDED_STATE,
  SUBSCRIBER_COUNT,
  subscriberEmail,
} from './tools/e2e-names.ts'
import { runLocalCrons } from './tools/local-crons.ts'
import { onStop, prepareLocalSite } from './tools/local-site.ts'
import { applyMigrations } from './tools/migrations.ts'
import { runRestoreDrill } from './tools/restore-drill.ts'

// The browser tests' server: seeds the demo and rows that the API cannot create, restores the site from an archive and
// serves it. Rows are written before the server starts, because it fails once another process writes to its D1.
const { STATE: STATE_FOLDER, LOG: LOG_FILE } = process.env
if (!STATE_FOLDER || !LOG_FILE) throw new Error('Set STATE to a folder and LOG to a file; playwright.config.ts does.')

/**
 * Inserts subscribers of one city and three emails of a broadcast to them: sent, failed, unknown. `{{way-out}}` is
 * UNSUBSCRIBE_PLACEHOLDER of worker/broadcasts.
 */
async function seedEmails(db: D1Database, now: number): Promise<void> {
  const cityKey = BROADCAST_CITY.toLowerCase()
  const subscriber = db.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, city, city_key, consent_version, consent_at, confirmed_at, created_at)
     VALUES (?1, ?1, ?1, 'confirmed', ?2, ?3, 'v', 0, 0, 0)`,
  )
  const email = db.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, state, last_error, created_at, queued_at)
     VALUES (?1, ?1, 'broadcast', ?1, ?2, '', '', ?2, ?3, ?4, ?5, 0)`,
  )
  await db.batch([
    ...Array.from({ length: SUBSCRIBER_COUNT }, (_, n) => subscriber.bind(subscriberEmail(n), BROADCAST_CITY, cityKey)),
    db
      .prepare(
        `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, state, listed_at, finished_at, created_at)
         VALUES (?1, ?1, 'Hi', 'Hi {{way-out}}', '<p>Hi {{way-out}}</p>', 'city', ?2, ?3, 'http://localhost', 'done', 1, 1, 1)`,
      )
      .bind(PAST_BROADCAST, BROADCAST_CITY, cityKey),
    email.bind(subscriberEmail(0), PAST_BROADCAST, 'sent', null, now),
    email.bind(subscriberEmail(1), PAST_BROADCAST, 'failed', 'E_TRY_LATER', now),
    email.bind(subscriberEmail(2), PAST_BROADCAST, 'unknown', 'No response.', now),
  ])
}

async function seedAdmin(db: D1Database, now: number): Promise<void> {
  const { password, ...account } = SECOND_FACTOR_ADMIN
  const statements = adminStatements({ ...account, promote: false }, await hashPassword(password), now)
  await db.batch(statements.split(';').flatMap((sql) => (sql.trim() ? db.prepare(sql) : [])))
}

const SEEDED_COLUMNS = [
  'name FROM products',
  'title FROM polls',
  'title FROM social_posts',
  'title FROM challenges',
  'venue FROM concerts',
  'name FROM challenge_finalists',
  'name FROM verse_submissions',
  'code FROM discounts',
]

/** Names from the demo artist's rows; a browser test checks that none shows on another artist's site. */
async function readSeededNames(db: D1Database): Promise<string[]> {
  const columns = SEEDED_COLUMNS.map((column) => db.prepare(`SELECT DISTINCT ${column}`).raw<[string]>())
  return (await Promise.all(columns)).flat(2)
}

ensureSecrets()
const isNew = !existsSync(join(STATE_FOLDER, 'v3'))
const seededNames = await withLocalBindings(STATE_FOLDER, async ({ DB, FILES }) => {
  const now = Date.now()
  await applyMigrations(DB)
  await seedDemo({ db: DB, files: FILES }, now, console.log)
  await seedEmails(DB, now)
  await seedAdmin(DB, now)
  return readSeededNames(DB)
})
// To stderr, which Playwright prints.
if (isNew) await runRestoreDrill(STATE_FOLDER, console.error)
rmSync(SEEDED_STATE, { recursive: true, force: true })
// Wrangler appends /v3 to the folder of --persist-to.
cpSync(join(STATE_FOLDER, 'v3'), join(SEEDED_STATE, 'v3'), { recursive: true })
writeFileSync(join(SEEDED_STATE, 'values.json'), JSON.stringify(seededNames))
const { port, origin, vars } = await prepareLocalSite('npm test', console.log)
await prebuild()
mkdirSync(dirname(LOG_FILE), { recursive: true })
const log = createWriteStream(LOG_FILE)
// Not `wrangler dev`: its proxy takes two thirds of a request's processor time.
const server = new Miniflare(
  convertV4MiniflareOptions({
    ...runtimeOptions({ state: STATE_FOLDER, port, vars, script: `${WORKER_BUNDLE}/index.js` }),
    handleStructuredLogs: ({ message }) => void log.write(`${message}\n`),
  }),
)
onStop(() => void server.dispose().finally(() => process.exit()))
await server.ready
await runLocalCrons(origin)
