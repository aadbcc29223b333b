import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listenOnLoopback } from './tools/ports'

// Runs the remote commands against a local Cloudflare API that rejects the token. With a valid token, they would then
// open a preview session on workers.dev, which cannot run locally.

const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'archive-remote-'))
const archiveFile = join(folder, 'site.tar')
const calls: string[] = []
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
  response.writeHead(403, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ success: false, result: null, errors: [{ code: 10000, message: 'Authentication error' }] }),
  )
})
const api = await listenOnLoopback(server)
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  calls.length = 0
  rmSync(archiveFile, { force: true })
})

/** Runs a command against the fake API; returns its exit code and everything it printed. */
async function run(script: string, secret: string): Promise<[code: number | null, output: string]> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, archiveFile, '--remote'], {
    env: {
      ...process.env,
      CLOUDFLARE_API_BASE_URL: `${api.url}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'a-token',
      CLOUDFLARE_ACCOUNT_ID: 'an-account',
      SIGNING_SECRET: secret,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return [await new Promise((done) => child.once('exit', done)), output]
}

test.each(['archive', 'restore'])(
  '%s --remote says that the token was rejected',
  async (script) => {
    if (script === 'restore') writeFileSync(archiveFile, 'any')
    const [code, output] = await run(script, SECRET)
    expect(code).toBe(1)
    expect(output).toContain('verify that your token is valid')
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls) expect(call).toMatch(/^GET \/client\/v4\/accounts\/an-account\//)
    expect(output + calls.join('')).not.toContain(SECRET)
    expect([existsSync(archiveFile), existsSync(`${archiveFile}.part`)]).toEqual([script === 'restore', false])
  },
  60_000,
)

test('archive --remote needs the signing secret', async () => {
  expect(await run('archive', '')).toEqual([1, expect.stringContaining('Set SIGNING_SECRET to the site’s secret')])
  expect(calls).toEqual([])
})
