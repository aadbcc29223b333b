import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artist, MEDIA } from '../../scripts/demo/artist'
import { seedRows } from '../../scripts/demo/seed'
import { migrate, withLocal } from '../../scripts/tools/local'
import { freePort } from '../../scripts/tools/ports'

export const ADMIN = { username: 'keeper', password: 'a desk of one’s own' }

/** `seededValues` are names of the demo artist's rows. */
export type IsolatedServer = { origin: string; seededValues: string[]; output: () => string; close: () => void }

const SEEDED_COLUMNS = [
  ...[
    'name FROM products',
    'title FROM polls',
    'title FROM social_posts',
    'title FROM challenges',
    'venue FROM concerts',
  ],
  ...['name FROM challenge_finalists', 'name FROM verse_submissions', 'code FROM promotion_codes'],
]

/** Runs a project command; returns its output. @throws with its output. */
function run(state: string, script: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, '--state', state, ...args], {
    encoding: 'utf8',
    input,
    env: { ...process.env, ADMIN_PASSWORD: ADMIN.password },
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Serves a demo that `site:init --empty` replaced by another artist, with its first admin. */
export async function startIsolatedServer(answers: readonly string[]): Promise<IsolatedServer> {
  const state = mkdtempSync(join(tmpdir(), 'second-artist-'))
  let server: ChildProcess | undefined
  let first: string[] = []
  const close = () => {
    server?.kill('SIGTERM')
    rmSync(state, { recursive: true, force: true })
  }
  try {
    await migrate(state)
    await withLocal(state, async ({ DB, FILES }) => {
      await seedRows(DB, Date.now())
      const names = await Promise.all(
        SEEDED_COLUMNS.map((what) => DB.prepare(`SELECT DISTINCT ${what}`).raw<[string]>()),
      )
      first = names.flat(2)
      await FILES.put(`${MEDIA}/hero.webp`, artist.name)
    })
    let response = ''
    try {
      run(state, 'site-init', [], `${answers.join('\n')}\n`)
    } catch (error) {
      response = String(error)
    }
    if (!response.includes('set up already')) throw new Error('What is there was overwritten without --empty.')
    run(state, 'site-init', ['--empty'], `${answers.join('\n')}\n`)
    run(state, 'admin-create', ['--username', ADMIN.username, '--email', 'admin@site.example'])
    const port = await freePort()
    server = spawn(process.execPath, ['scripts/start.ts'], {
      env: { ...process.env, STATE: state, PORT: String(port), GOOGLE_CLIENT_ID: '' },
    })
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += text))
    for (let tries = 0; !output.includes('Ready after'); tries++) {
      if (tries > 480) throw new Error(output)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return { origin: `http://localhost:${port}`, seededValues: first, output: () => output, close }
  } catch (error) {
    close()
    throw error
  }
}
