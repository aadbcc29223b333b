import { demoAdminVar } from '../demo/logins.ts'
import { images } from '../demo/media.ts'
import { seedDemo } from '../demo/seed.ts'
import { defaultImages } from '../site/default-images.ts'
import { hasArtistSite } from '../site/site-marker.ts'
import { ensureSecrets, withLocalBindings } from './bindings.ts'
import { readBuildStamp } from './build-stamp.ts'
import { copyBundledImages } from './bundled-images.ts'
import { applyMigrations } from './migrations.ts'
import { isPortFree, requestedPort } from './ports.ts'
import { runTool } from './run-tool.ts'
import { lockState } from './state-lock.ts'

const STATE_FOLDER = process.env.STATE ?? '.wrangler/state'

/**
 * Locks the local state folder, builds the site, migrates, and seeds the demo unless `site:init` set up an artist.
 * @param command the operator's command, for the error when the port is in use
 */
export async function prepareLocalSite(command: string, print: (line: string) => void) {
  const port = requestedPort()
  if (!(await isPortFree(port)))
    throw new Error(
      `Port ${port} is taken. Stop the program that listens there (\`lsof -i :${port}\` names it), or choose another: PORT=${port + 1} ${command}`,
    )
  const lock = lockState(STATE_FOLDER, port)
  process.on('exit', lock.release)
  ensureSecrets()
  const isArtistSite = hasArtistSite(STATE_FOLDER)
  await Promise.all([
    buildSite(),
    withLocalBindings(STATE_FOLDER, async ({ DB, FILES }) => {
      await applyMigrations(DB)
      if (!isArtistSite) await seedDemo({ db: DB, files: FILES }, Date.now(), print)
      // Local queues are in memory, so a stopped server has lost its messages: these emails are queued again.
      await DB.prepare("UPDATE outbox SET queued_at = NULL WHERE state = 'waiting' AND claimed_at IS NULL").run()
    }),
  ])
  const origin = `http://localhost:${port}`
  // An artist's site also runs in demo mode here, without the demo's logins.
  const vars = {
    SITE_MODE: 'demo',
    DEMO_ORIGIN: origin,
    // Locally, all sign-ups come from one network.
    SIGNUPS_PER_NETWORK_PER_DAY: '100000',
    ...(isArtistSite ? {} : { DEMO_ADMIN: demoAdminVar() }),
    ...serviceVars(),
  }
  return { state: STATE_FOLDER, port, origin, isArtistSite, lock, vars }
}

/** Variables of optional services from the environment, e.g. to use a local provider. */
function serviceVars(): Record<string, string> {
  return Object.fromEntries(
    [
      'GOOGLE_CLIENT_ID',
      'GOOGLE_CLIENT_SECRET',
      'GOOGLE_ISSUER',
      'TURNSTILE_SITE_KEY',
      'TURNSTILE_SECRET_KEY',
      'TURNSTILE_VERIFY_URL',
    ].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** Builds the site in a child process, parallel to the database. @throws Error if it fails; its output is printed. */
async function buildSite(): Promise<void> {
  const { isCurrent } = await readBuildStamp()
  if (isCurrent) return copyBundledImages([...defaultImages, ...images.values()])
  if (!(await runTool('scripts/build.ts', []))) throw new Error('The site could not be built; the reason is above.')
}

/** Calls `stop` on a signal, and when the process that started this one has ended. */
export function onStop(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}
