import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEEDED_STATE } from '../../scripts/tools/e2e-names'
import { findFreePort } from '../../scripts/tools/ports'

/** `seededValues`: texts from the demo artist's rows. `output` returns the server's log. */
type IsolatedServer = { origin: string; seededValues: string[]; output: () => string; close: () => void }

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
