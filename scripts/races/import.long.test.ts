import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Import, mapColumns } from '../../worker/contract/imports'
import { withLocalBindings } from '../tools/bindings'
import { runFiveMinuteJobs } from '../tools/local-crons'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { killServer, sleep, startServer } from './killable-server'
import { seedLocalSite } from './local-database'

const CONTACT_COUNT = 50_000
const KILL_COUNT = 10
const stateFolder = `.wrangler/import-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

const csv = [
  'Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LEID',
  ...Array.from(
    { length: CONTACT_COUNT },
    (_, i) => `fan${i}@fan.example,Fan ${i},2021-04-12 17:13:05,2021-04-12 17:20:00,${i}`,
  ),
].join('\n')

test('imports every contact although the server is killed', async () => {
  const cookie = await seedLocalSite(stateFolder, async () => undefined)
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const request = async (method: string, path: string, body?: unknown) => {
    const isFile = typeof body === 'string'
    const response = await fetch(`${origin}/api/admin/imports${path}`, {
      method,
      headers: { cookie, origin, 'content-type': isFile ? 'text/csv' : 'application/json' },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    return (await response.json()) as Import
  }
  const pollUntil = async (id: string, isReached: (found: Import) => boolean) => {
    let found = await request('GET', `/${id}`)
    for (; !isReached(found); found = await request('GET', `/${id}`)) await sleep(10)
    return found
  }
  let child = startServer(stateFolder, port)
  try {
    await waitUntilReady(origin)
    const startedAt = Date.now()
    const { id, headers } = await request('POST', '?name=fans.csv', csv)
    const mapping = mapColumns('mailchimp-audience', headers)
    const dryRunStartedAt = Date.now()
    await request('POST', `/${id}/check`, { kind: 'mailchimp-audience', mapping, consentAttested: true })
    const dryRun = await pollUntil(id, (found) => found.state === 'checked')
    // All delays together are at most half of the dry run, and so shorter than the import: each kill interrupts it.
    const maxKillDelayMs = (Date.now() - dryRunStartedAt) / (2 * KILL_COUNT)
    expect(dryRun.counts?.subscribed).toBe(CONTACT_COUNT)
    let [current, killed] = [dryRun, 0]
    while (killed < KILL_COUNT && current.state !== 'imported') {
      // The server may be killed before it responds.
      const startRequest =
        current.state === 'checked' && request('POST', `/${id}/start`, { run: dryRun.run }).catch(() => undefined)
      await sleep(Math.random() * maxKillDelayMs)
      await killServer(child)
      await startRequest
      child = startServer(stateFolder, port)
      await waitUntilReady(origin)
      current = await request('GET', `/${id}`)
      if (current.state !== 'importing') continue
      killed++
      // The kill lost the queued message; after `importStepTimeoutMinutes` (2) the five-minute job sends it again.
      await runFiveMinuteJobs(origin, Date.now() + 180_000)
    }
    const { counts } = await pollUntil(id, (found) => found.state === 'imported')
    const seconds = (Date.now() - startedAt) / 1000
    process.stdout.write(`\nimport of ${CONTACT_COUNT} contacts, killed ${killed} times: ${seconds} s\n`)
    expect(killed).toBe(KILL_COUNT)
    expect(counts).toMatchObject({ subscribed: CONTACT_COUNT, contact: 0, skipped: 0 })

    await request('POST', `/${id}/undo`, {})
    const undone = await pollUntil(id, (found) => found.state === 'undone')
    expect(undone.counts).toMatchObject({ removed: CONTACT_COUNT, stays: 0 })
  } finally {
    await killServer(child).catch(() => undefined)
  }
  const remainingRows = await withLocalBindings(stateFolder, ({ DB }) =>
    DB.prepare(
      'SELECT (SELECT count(*) FROM subscribers) AS subscribers, (SELECT count(*) FROM contacts) AS contacts',
    ).first(),
  )
  expect(remainingRows).toEqual({ subscribers: 0, contacts: 0 })
}, 300_000)
