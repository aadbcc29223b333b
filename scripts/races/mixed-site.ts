import { createSession } from '../../worker/auth/sessions'
import { seedSite } from '../../worker/testing/seed'
import { ensureSecrets, withLocalBindings } from '../tools/bindings'
import { copyMigratedState } from './prebuilt'

/** Seeds a site for load tests with mixed writes, with 500 units of one product; returns the supporters' cookies. */
export async function prepareMixedSite(state: string, supporters: number): Promise<string[]> {
  ensureSecrets()
  copyMigratedState(state)
  return withLocalBindings(state, async ({ DB, SESSIONS }) => {
    await seedSite(DB)
    const statement = (sql: string, ...values: unknown[]) => DB.prepare(sql).bind(...values)
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${supporters})`
    await DB.batch([
      statement("UPDATE products SET kind = 'pickup' WHERE id = 'clip'"),
      statement("UPDATE product_variants SET stock = 500, price_cents = 2000 WHERE product_id = 'clip'"),
      statement(`INSERT INTO tracks (id, title, artist, duration_seconds, cover_url, cover_alt, position, released_at)
        VALUES (1, 'A song', 'Somebody', 180, '', '', 1, 0)`),
      statement(
        "INSERT INTO polls (id, title, ends_at, created_at) VALUES ('p', 'A poll', ?1, 0)",
        Date.now() + 3_600_000,
      ),
      statement(
        "INSERT INTO poll_options (id, poll_id, title, position) VALUES ('p-a', 'p', 'A', 1), ('p-b', 'p', 'B', 2)",
      ),
      statement(
        `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from,
           voting_until, winner_on, closed_on, voting_closes_at, publish_at)
         VALUES ('c', 'A challenge', '', '', '', '', '', '', '', '', ?1, ?1)`,
        Date.now() + 3_600_000,
      ),
      statement(
        "INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES ('c-a', 'c', 'A', 1), ('c-b', 'c', 'B', 2)",
      ),
      statement(`${numbers} INSERT INTO users (username, username_key, email, email_key, mailbox_key, email_verified_at, created_at, last_active_at)
        SELECT 'fan' || i, 'fan' || i, 'fan' || i || '@mail.example', 'fan' || i || '@mail.example', 'fan' || i || '@mail.example', 1, 0, 0 FROM n`),
    ])
    const { results } = await DB.prepare("SELECT id FROM users WHERE role = 'supporter' ORDER BY id").all<{
      id: number
    }>()
    const cookies: string[] = []
    for (const { id } of results) {
      const { token } = await createSession(SESSIONS, 'supporter', { userId: id, epoch: 0 }, Date.now())
      cookies.push(`session=${token}`)
    }
    return cookies
  })
}
