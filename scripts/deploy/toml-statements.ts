/**
 * A header, a key with its value (of one or several lines), or another line of a TOML file. `path` is the full name,
 * such as `vars.SITE_ORIGIN`, and empty for comments; `table` counts the headers, 0 before the first.
 */
type Statement = { path: string; table: number; text: string }

/** Splits a TOML file, so that statements can be removed without losing comments. The joined texts are the file. */
export function parseStatements(toml: string): Statement[] {
  const statements: Statement[] = []
  let header = ''
  let table = 0
  let text = ''
  for (const line of toml.split(/(?<=\n)/)) {
    text += line
    if (isUnfinished(text)) continue
    const [, name] = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(text) ?? []
    const [, key] = /^\s*([\w."'-]+)\s*=/.exec(text) ?? []
    if (name !== undefined) {
      header = name
      table++
    }
    const path = name ?? (key === undefined ? '' : table === 0 ? key : `${header}.${key}`)
    statements.push({ path: path.replace(/["']/g, ''), table, text })
    text = ''
  }
  return text === '' ? statements : [...statements, { path: '', table, text }]
}

/** Removes these keys and tables with all they contain. */
export function withoutPaths(toml: string, paths: readonly string[]): string {
  const isRemoved = (path: string) => paths.some((removed) => path === removed || path.startsWith(`${removed}.`))
  return parseStatements(toml)
    .filter(({ path }) => !isRemoved(path))
    .map(({ text }) => text)
    .join('')
}

const STRING_OR_COMMENT = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*/g

/** Whether a value continues on the next line. */
function isUnfinished(text: string): boolean {
  const code = text.replace(STRING_OR_COMMENT, '')
  const count = (bracket: RegExp) => code.match(bracket)?.length ?? 0
  return /["']/.test(code) || count(/[[{]/g) > count(/[\]}]/g)
}
