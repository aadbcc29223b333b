import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEEDED_STATE } from '../../scripts/tools/e2e-names'
import { findFreePort } from '../../scripts/tools/ports'

export const ISOLATED_ADMIN = { username: 'keeper', password: 'a dashboard of one’s own' }

/** `seededValues`: texts from the demo artist's rows. `output` returns the server's log. */
type IsolatedServer = { origin: string; seededValues: string[]; output: () => string; close: () => void }

/** Runs a project script; returns stdout. @throws an error with stderr. */
function runScript(stateFolder: string, script: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`scripts/${script}.ts`, '--state', stateFolder, ...args],
    {
      encoding: 'utf8',
      input,
      env: { ...process.env, ADMIN_PASSWORD: ISOLATED_ADMIN.password },
    },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/**
 * Serves a copy of the seeded demo with these environment variables, until the caller closes it. `prepare` may change
 * the copy first. @throws an error with the server's log.
 */
export async function startIsolatedServer(
  environment: Readonly<Record<string, string>>,
  prepare: (stateFolder: string) => void = () => undefined,
): Promise<IsolatedServer> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'isolated-'))
  let server: ChildProcess | undefined
  const close = () => {
    server?.kill('SIGTERM')
    rmSync(stateFolder, { recursive: true, force: true })
  }
  try {
    cpSync(SEEDED_STATE, stateFolder, { recursive: true })
    const seededValues: string[] = JSON.parse(readFileSync(join(stateFolder, 'values.json'), 'utf8'))
    prepare(stateFolder)
    const port = await findFreePort()
    server = spawn(process.execPath, ['scripts/start.ts'], {
      env: { ...process.env, STATE: stateFolder, PORT: String(port), GOOGLE_CLIENT_ID: '', ...environment },
    })
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += text))
    // Waits for two minutes at most.
    for (let attempts = 0; !output.includes('Ready after'); attempts++) {
      if (attempts > 480) throw new Error(output)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return { origin: `http://localhost:${port}`, seededValues, output: () => output, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Serves a site with one admin where `site:init --empty` replaced the demo. `answers`: one line for each prompt. */
export const startSecondArtist = (answers: readonly string[]): Promise<IsolatedServer> =>
  startIsolatedServer({}, (stateFolder) => {
    const input = `${answers.join('\n')}\n`
    // Without --empty, site:init must not replace a site.
    let initError = ''
    try {
      runScript(stateFolder, 'site-init', [], input)
    } catch (reason) {
      initError = String(reason)
    }
    if (!initError.includes('set up already')) throw new Error('site:init replaced a site without --empty.')
    runScript(stateFolder, 'site-init', ['--empty'], input)
    runScript(stateFolder, 'admin-create', ['--username', ISOLATED_ADMIN.username, '--email', 'admin@site.example'])
  })
