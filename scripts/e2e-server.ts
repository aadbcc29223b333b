import { spawnSync } from 'node:child_process'
import { ADMINISTRATOR, CITY, EARLIER, READERS, reader } from './tools/e2e-names.ts'
import { withLocal } from './tools/local.ts'

// The browser tests' server: `npm start` plus rows that no visitor can create. They are written first, because a
// second process writing to a served local D1 makes its next read fail.
const STATE = process.env.STATE ?? '.wrangler/e2e'

/** Subscribers of one city, and three emails of a broadcast to them: sent, failed, unknown. */
async function seedEmails(db: D1Database, now: number): Promise<void> {
  const key = CITY.toLowerCase()
  const subscriber = db.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, city, city_key, consent_version, consent_at, confirmed_at, created_at)
     VALUES (?1, ?1, ?1, 'confirmed', ?2, ?3, 'v', 0, 0, 0)`,
  )
  const copy = db.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, state, last_error, created_at, queued_at)
     VALUES (?1, ?1, 'broadcast', ?1, ?2, '', '', ?2, ?3, ?4, ?5, 0)`,
  )
  await db.batch([
    ...Array.from({ length: READERS }, (_, n) => subscriber.bind(reader(n), CITY, key)),
    db
      .prepare(
        `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, state, listed_at, finished_at, created_at)
         VALUES (?1, ?1, 'Hi', 'Hi {{way-out}}', '<p>Hi {{way-out}}</p>', 'city', ?2, ?3, 'http://localhost', 'done', 1, 1, 1)`,
      )
      .bind(EARLIER, CITY, key),
    copy.bind(reader(0), EARLIER, 'sent', null, now),
    copy.bind(reader(1), EARLIER, 'failed', 'E_TRY_LATER', now),
    copy.bind(reader(2), EARLIER, 'unknown', 'No answer.', now),
  ])
}

function createAdministrator(): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/admin-create.ts', '--username', ADMINISTRATOR.username, '--email', ADMINISTRATOR.email, '--state', STATE],
    { encoding: 'utf8', env: { ...process.env, ADMIN_PASSWORD: ADMINISTRATOR.password } },
  )
  if (status !== 0) throw new Error(stderr)
}

await import('./seed.ts')
await withLocal(STATE, ({ DB }) => seedEmails(DB, Date.now()))
createAdministrator()
await import('./start.ts')
