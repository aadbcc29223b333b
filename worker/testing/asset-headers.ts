/**
 * Headers that the block of exactly `path` sets, by lower-case name; none without such a block. `file` is the text of
 * web/public/_headers. Lines that remove a header (`! name`) are left out.
 */
export function assetHeadersOf(file: string, path: string): Record<string, string> {
  const [, block = ''] = file.split(`\n${path}\n`)
  const lines = block.split(/^\//m)[0]?.trim().split('\n') ?? []
  return Object.fromEntries(
    lines
      .filter((line) => !line.includes('! '))
      .map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
