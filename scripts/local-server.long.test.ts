import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { seedSite } from '../worker/testing/seed'
import { killServer } from './races/killable-server'
import { withSqliteFile } from './races/local-database'
import { copyMigratedState } from './races/prebuilt'
import { markArtistSite } from './site/site-marker'
import { ensureSecrets, withLocalBindings } from './tools/bindings'
import { findFreePort } from './tools/ports'
import { waitUntilReady } from './tools/wrangler'

const stateFolder = mkdtempSync(join(tmpdir(), 'local-server-'))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

/** Starts the server as `npm start` does, in its own process group. */
function startSite(port: number): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: { ...process.env, STATE: stateFolder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
  return { child, output: () => output }
}

/** The state of an email whose sender was killed, read while the server runs. */
function stateOfAbandonedEmail(): unknown {
  return withSqliteFile(
    stateFolder,
    (database) => database.prepare("SELECT state FROM outbox WHERE id = 'abandoned'").get()?.state,
  )
}

test('a restart sends pending emails and runs scheduled jobs', async () => {
  ensureSecrets()
  markArtistSite(stateFolder)
  copyMigratedState(stateFolder)
  await withLocalBindings(stateFolder, ({ DB }) => seedSite(DB))
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  let server = startSite(port)
  try {
    await waitUntilReady(origin)
    const second = startSite(await findFreePort())
    const code = await new Promise((resolve) => second.child.once('exit', resolve))
    expect([code, second.output()]).toEqual([1, expect.stringContaining(`at http://localhost:${port}. Stop it first`)])

    const response = await fetch(`${origin}/api/newsletter/subscribe`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'reader@mail.example' }),
    })
    expect(response.status).toBe(200)
    await killServer(server.child)
    withSqliteFile(
      stateFolder,
      (database) =>
        database.exec(
          `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, claimed_at, created_at)
           VALUES ('abandoned', 'abandoned', 'verify', 'a@mail.example', '', '', '', 1, 1)`,
        ),
      { isWritable: true },
    )

    server = startSite(port)
    await waitUntilReady(origin)
    const readOutbox = () =>
      fetch(`${origin}/api/demo/outbox`).then(
        (response) => response.json() as Promise<{ to: string; sentAt: string }[]>,
      )
    await expect
      .poll(readOutbox, { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ to: 'reader@mail.example', sentAt: expect.any(String) }))
    await expect.poll(stateOfAbandonedEmail, { timeout: 20_000 }).toBe('unknown')
  } finally {
    await killServer(server.child)
  }
}, 120_000)
