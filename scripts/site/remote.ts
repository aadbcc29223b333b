/** A wrangler command and the file it reads. */
export type Step = {
  args: readonly string[]
  file?: { path: string; bytes: string | Uint8Array }
}

type Image = { key: string; contentType: string; bytes: Uint8Array }

const INTO_DATABASE = ['d1', 'execute', 'DB', '--remote', '--yes']

/** Counts the sites of the deployment in wrangler.toml: 0 or 1. */
export const COUNT_SITES: readonly string[] = [
  ...INTO_DATABASE,
  '--json',
  '--command',
  'SELECT count(*) AS sites FROM site',
]

/** The reason why a deployment cannot be set up, or null. `output` is everything wrangler printed. */
export function setupError(succeeded: boolean, output: string): string | null {
  if (/no such table: site/.test(output))
    return 'The database has no tables yet. Make them first: npm run db:migrate:remote'
  if (!succeeded) return `Wrangler refused:\n${output}`
  return /"sites":\s*0\b/.test(output)
    ? null
    : 'This site is set up already. What it says is changed in the admin dashboard, under Site.'
}

/** Uploads images first; the rows, which mark the site as set up, come last. */
export function remoteSteps(
  { pictures, rows }: { pictures: readonly Image[]; rows: readonly string[] },
  { bucket, folder }: { bucket: string; folder: string },
): Step[] {
  const sql = `${folder}/rows.sql`
  return [
    ...pictures.map(({ key, contentType, bytes }, i) => {
      const path = `${folder}/picture-${i}`
      return {
        args: [
          ...['r2', 'object', 'put', `${bucket}/${key}`],
          ...['--file', path, '--content-type', contentType, '--remote'],
        ],
        file: { path, bytes },
      }
    }),
    { args: [...INTO_DATABASE, '--file', sql], file: { path: sql, bytes: `${rows.join(';\n')};\n` } },
  ]
}
