type Source = { path: string; text: string }
export type Import = { from: string; to: string; typeOnly: boolean }

const toSources = (globbed: Record<string, string>): Source[] =>
  Object.entries(globbed).map(([path, text]) => ({ path: resolve('worker/testing/sources.ts', path), text }))

/** Every source file; paths are relative to the repository's root. */
export const sources: readonly Source[] = toSources({
  ...import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../web/**/*.{ts,tsx,css}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>(['../../scripts/**/*.{ts,mjs}', '../../bench/**/*.{ts,mjs}', '../../*.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
})

/** Migrations in order. */
export const migrations: readonly Source[] = toSources(
  import.meta.glob<string>('../../migrations/*.sql', { query: '?raw', import: 'default', eager: true }),
)

// Matches `import x, { y } from 'z'`, `export { y } from 'z'`, `import 'z'` and `import('z')`.
const IMPORT_STATEMENT =
  /(?:^(?:import|export)\s[\w\s{},*$]*?\bfrom\s|^import\s|\bimport\(\s*)\s*(?<quote>['"])(?<name>[^'"\n]+)\k<quote>/gm

/** Imports of every file. `to` is a package name or a path from the root without extension. */
export const imports: readonly Import[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(IMPORT_STATEMENT)].map((match) => {
    const name = (match.groups?.name ?? '').replace(/\?.*$/, '')
    const to = name.startsWith('.')
      ? resolve(path, name)
          .replace(/\.(tsx?|js)$/, '')
          .replace(/^worker\/contract$/, 'worker/contract/index')
      : name
    return { from: path, to, typeOnly: /^(import|export) type\b/.test(match[0]) }
  }),
)

export const isTestCode = (path: string) =>
  /\.(test|server-test)\.tsx?$|^worker\/testing\/|^web\/(testing|e2e)\//.test(path)
export const isInRepository = (name: string) =>
  /^(worker|web|scripts|bench|dist|migrations)\/|^wrangler\.toml$/.test(name)

function resolve(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const step of name.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '.') parts.push(step)
  }
  return parts.join('/')
}
