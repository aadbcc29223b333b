import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { prepareTarget } from './site/archive-target.ts'
import { runCommand } from './tools/run-command.ts'
import { importWorkerCode } from './tools/worker-code.ts'

// `npm run archive -- <file>` writes an archive of the site. With ARCHIVE_PASSPHRASE it is encrypted (age).
const USAGE = 'npm run archive -- <file> [--remote]'

async function main(): Promise<void> {
  const passphrase = process.env.ARCHIVE_PASSPHRASE || undefined
  if (passphrase !== undefined && passphrase.length < 12)
    throw new Error('ARCHIVE_PASSPHRASE must have at least 12 characters.')
  const { file, withSite, secret } = await prepareTarget(USAGE)
  const { createArchive } = await importWorkerCode<typeof import('../worker/archive/create-archive')>(
    './worker/archive/create-archive.ts',
  )
  await withSite(async ({ DB, FILES }) => {
    const { key, rows, files } = await createArchive({ d1: DB, files: FILES, secret }, passphrase)
    const stored = await FILES.get(key)
    if (!stored) throw new Error('The archive is missing from the bucket.')
    // Renamed when complete, so that no partial file has the final name.
    await pipeline(Readable.fromWeb(stored.body as never), createWriteStream(`${file}.part`, { mode: 0o600 }))
    await rename(`${file}.part`, file)
    console.log(
      `${file}: ${rows} rows and ${files} files. A restore also needs SIGNING_SECRET: store it in another place.`,
    )
  })
}

runCommand(main)
