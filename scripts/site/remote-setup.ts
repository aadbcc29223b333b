/** A wrangler command; `file` is to be written before the command runs. */
type SetupStep = {
  args: readonly string[]
  file?: { path: string; text: string }
}

type Image = { key: string; contentType: string; file: string }

const EXECUTE_SQL = ['d1', 'execute', 'DB', '--remote', '--yes']

export const ALREADY_SET_UP =
  'This site is set up already. Change its texts and links in the admin dashboard, under Site.'

/** Counts the sites of a deployment: 0 or 1. */
export const COUNT_SITES: readonly string[] = [
  ...EXECUTE_SQL,
  '--json',
  '--command',
  'SELECT count(*) AS sites FROM site',
]

/** The reason why a deployment cannot be set up, or null. @param output all that `COUNT_SITES` printed */
function setupError(succeeded: boolean, output: string): string | null {
  if (/no such table: site/.test(output))
    return 'The database has no tables yet. Create them first: npm run db:migrate:remote'
  if (!succeeded) return `Wrangler failed:\n${output}`
  return /"sites":\s*0\b/.test(output) ? null : ALREADY_SET_UP
}

/**
 * Whether a deployment has no site yet, from the result of `COUNT_SITES`.
 * @throws Error with a message for the operator if it cannot be set up, or has a site unless `skipIfSetUp`.
 */
export function needsSetup(
  { succeeded, output }: { succeeded: boolean; output: string },
  { skipIfSetUp }: { skipIfSetUp: boolean },
): boolean {
  const problem = setupError(succeeded, output)
  if (problem === null) return true
  if (problem === ALREADY_SET_UP && skipIfSetUp) return false
  throw new Error(problem)
}

/** The commands that set up a deployment: images first, then the rows, which mark the site as set up. */
export function remoteSteps(
  { images, rows }: { images: readonly Image[]; rows: readonly string[] },
  { bucket, folder }: { bucket: string; folder: string },
): SetupStep[] {
  const sql = `${folder}/rows.sql`
  return [
    ...images.map(({ key, contentType, file }) => ({
      args: [
        ...['r2', 'object', 'put', `${bucket}/${key}`],
        ...['--file', file, '--content-type', contentType, '--remote'],
      ],
    })),
    { args: [...EXECUTE_SQL, '--file', sql], file: { path: sql, text: `${rows.join(';\n')};\n` } },
  ]
}
