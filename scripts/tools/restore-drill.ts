import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { localSecret, type SiteEnv, withLocalBindings } from './bindings.ts'
import { applyMigrations } from './migrations.ts'
import { importWorkerCode } from './worker-code.ts'

type ArchivedSite = {
  bytes: Uint8Array
  /** SHA-256 by path, without the parts that a restore changes. */
  digests: Map<string, string>
}

/** A lost site must be back within this time, see docs/operations.md. */
const MAX_RESTORE_SECONDS = 600

const secondsSince = (startedAt: number) => (Date.now() - startedAt) / 1000

const deleteSite = (state: string) => rmSync(join(state, 'v3'), { recursive: true, force: true })

/**
 * Archives the local site in `state`, deletes it, restores it and archives it again. `state` then holds the restored
 * site, without the archives.
 * @throws Error if the two archives differ, or if the restore takes too long; the site is then deleted.
 */
export async function runRestoreDrill(state: string, log: (line: string) => void): Promise<void> {
  try {
    await archiveAndRestore(state, log)
  } catch (error) {
    // Otherwise the next run would start with what is left, as if the drill had passed.
    deleteSite(state)
    throw error
  }
}

async function archiveAndRestore(state: string, log: (line: string) => void): Promise<void> {
  const secret = localSecret()
  const { createArchive } = await importWorkerCode<typeof import('../../worker/archive/create-archive')>(
    './worker/archive/create-archive.ts',
  )
  const { restoreSite } = await importWorkerCode<typeof import('../../worker/archive/restore-site')>(
    './worker/archive/restore-site.ts',
  )
  const { readArchive } =
    await importWorkerCode<typeof import('../../worker/archive/verify')>('./worker/archive/verify.ts')
  const { CHANGING_SECTIONS } =
    await importWorkerCode<typeof import('../../worker/archive/contents')>('./worker/archive/contents.ts')
  const sourceOf = (bytes: Uint8Array) => ({
    async *open() {
      yield bytes
    },
  })

  async function archive({ DB, FILES }: SiteEnv): Promise<ArchivedSite> {
    const { key } = await createArchive({ d1: DB, files: FILES, secret })
    const bytes = new Uint8Array((await (await FILES.get(key))?.arrayBuffer()) ?? new ArrayBuffer())
    await FILES.delete(key)
    await DB.prepare('DELETE FROM archives').run()
    const digests = new Map<string, string>()
    for await (const { entry, body } of readArchive(sourceOf(bytes))) {
      const hash = createHash('sha256')
      for await (const chunk of body) hash.update(chunk)
      if (!CHANGING_SECTIONS.includes(entry.path.split('/')[1] ?? '')) digests.set(entry.path, hash.digest('hex'))
    }
    return { bytes, digests }
  }

  const before = await withLocalBindings(state, archive)
  const lostAt = Date.now()
  deleteSite(state)
  const [after, restoreSeconds] = await withLocalBindings(state, async (site) => {
    const { DB, FILES, SESSIONS } = site
    await applyMigrations(DB)
    const stores = { d1: DB, files: FILES, sessions: SESSIONS, secret }
    await restoreSite(stores, sourceOf(before.bytes), () => undefined)
    const seconds = secondsSince(lostAt)
    return [await archive(site), seconds] as const
  })
  const paths = new Set([...before.digests.keys(), ...after.digests.keys()])
  const changedPaths = [...paths].filter((path) => before.digests.get(path) !== after.digests.get(path))
  if (changedPaths.length > 0)
    throw new Error(`A restore changed these parts of the archive: ${changedPaths.join(', ')}`)
  log(
    `Restore drill: back after ${restoreSeconds.toFixed(1)} of at most ${MAX_RESTORE_SECONDS} s, ${paths.size} hashes equal, ${(before.bytes.length / 1024 / 1024).toFixed(0)} MB.`,
  )
  if (restoreSeconds > MAX_RESTORE_SECONDS) throw new Error('The restore took too long.')
}
