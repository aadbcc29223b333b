/** One command of wrangler's: what it is told, and the file that it reads, where it reads one. */
export type Step = {
  args: readonly string[]
  file?: { path: string; bytes: string | Uint8Array }
}

type Picture = { key: string; contentType: string; bytes: Uint8Array }

const INTO_DATABASE = ['d1', 'execute', 'DB', '--remote', '--yes']

/** Asks the deployment that wrangler.toml names how many sites it holds: none or one. */
export const QUESTION: readonly string[] = [
  ...INTO_DATABASE,
  '--json',
  '--command',
  'SELECT count(*) AS sites FROM site',
]

/**
 * What the deployment's answer to the question means; null when the site may be set up. `answer` is all that wrangler
 * said.
 */
export function refusalOf(succeeded: boolean, answer: string): string | null {
  if (/no such table: site/.test(answer))
    return 'The database has no tables yet. Make them first: npm run db:migrate:remote'
  if (!succeeded) return `Wrangler refused:\n${answer}`
  return /"sites":\s*0\b/.test(answer)
    ? null
    : 'This site is set up already. What it says is changed at the desk, under Site.'
}

/** The steps that set a deployment up: the pictures first, and last the rows, which say that it is there. */
export function remoteSteps(
  { pictures, rows }: { pictures: readonly Picture[]; rows: readonly string[] },
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
