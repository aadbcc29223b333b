import { createReadStream, existsSync } from 'node:fs'
import { prepareTarget } from './site/archive-target.ts'
import { runCommand } from './tools/run-command.ts'
import { importWorkerCode } from './tools/worker-code.ts'

// `npm run restore -- <file>` loads an archive into an empty site; ARCHIVE_PASSPHRASE opens an encrypted archive.
const USAGE = 'npm run restore -- <file> [--remote]'

async function main(): Promise<void> {
  const { file, withSite, secret } = await prepareTarget(USAGE)
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const { restoreSite } = await importWorkerCode<typeof import('../worker/archive/restore-site')>(
    './worker/archive/restore-site.ts',
  )
  const passphrase = process.env.ARCHIVE_PASSPHRASE || undefined
  await withSite(async ({ DB, FILES, SESSIONS }) => {
    const source = { open: () => createReadStream(file), passphrase }
    const result = await restoreSite({ d1: DB, files: FILES, sessions: SESSIONS, secret }, source, console.log)
    console.log(
      `${result.rows} rows and ${result.files} files are restored, as of ${new Date(result.createdAt).toISOString()}.`,
    )
    if (result.erased > 0) console.log(`${result.erased} accounts that were deleted since then are deleted again.`)
    if (result.notErased > 0)
      console.log(
        `Warning: ${result.notErased} accounts that were deleted since then are back: each is the last owner. Add another owner, then delete them again.`,
      )
    if (result.erasedAddresses > 0)
      console.log(
        `${result.erasedAddresses} addresses without an account that were erased since then are erased again.`,
      )
    if (result.leftOut > 0)
      console.log(
        `Warning: rows left out: ${result.leftOut}. Rows they refer to were deleted while the archive was created.`,
      )
    for (const total of result.wrongTotals) console.log(`This total differs from its rows: ${total}`)
    console.log(
      'Everyone must log in again. Emails that were waiting were not sent; they are under Email in the dashboard.',
    )
  })
}

runCommand(main)
