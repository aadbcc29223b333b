import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artist, MEDIA } from '../../scripts/demo/artist'
import { seedRows } from '../../scripts/demo/seed'
import { migrate, withLocal } from '../../scripts/tools/local'
import { freePort } from '../../scripts/tools/ports'

export const KEEPER = { username: 'keeper', password: 'a desk of one’s own' }

/** `first` is what the artist before had in the house, by name: goods, polls, posts, finalists, who sent verses. */
export type OwnHouse = { origin: string; first: string[]; said: () => string; close: () => void }

const OF_THE_FIRST = [
  ...[
    'name FROM products',
    'title FROM polls',
    'title FROM social_posts',
    'title FROM challenges',
    'venue FROM concerts',
  ],
  ...['name FROM challenge_finalists', 'name FROM verse_submissions', 'code FROM promotion_codes'],
]

/** A command of the project on these stores. Returns what it said. @throws with its words where it fails. */
function run(state: string, script: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, '--state', state, ...args], {
    encoding: 'utf8',
    input,
    env: { ...process.env, ADMIN_PASSWORD: KEEPER.password },
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/**
 * The demo's house with another artist in it: seeded, emptied by the command as a newcomer runs it, with answers from a
 * file, given its first administrator and served as `npm start` serves it.
 */
export async function moveIn(answers: readonly string[]): Promise<OwnHouse> {
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
      const names = await Promise.all(OF_THE_FIRST.map((what) => DB.prepare(`SELECT DISTINCT ${what}`).raw<[string]>()))
      first = names.flat(2)
      await FILES.put(`${MEDIA}/hero.webp`, artist.name)
    })
    let kept = ''
    try {
      run(state, 'site-init', [], `${answers.join('\n')}\n`)
    } catch (error) {
      kept = String(error)
    }
    if (!kept.includes('set up already')) throw new Error('What is there was overwritten without --empty.')
    run(state, 'site-init', ['--empty'], `${answers.join('\n')}\n`)
    run(state, 'admin-create', ['--username', KEEPER.username, '--email', 'keeper@house.example'])
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
    return { origin: `http://localhost:${port}`, first, said: () => output, close }
  } catch (error) {
    close()
    throw error
  }
}
