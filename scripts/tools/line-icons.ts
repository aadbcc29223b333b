import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const MAKER = resolve('web/ui/line-icon.ts')

/**
 * A built page draws the library's icons with the house's own few lines (web/ui/line-icon.ts), and carries of each what is
 * drawn: their maker, the names and the keys of their lines are 2 KB of the first script (docs/decisions/0026).
 */
export const lineIcons: Plugin = {
  name: 'line-icons',
  apply: 'build',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
    handler(code) {
      return { code: withOwnMaker(code, MAKER), map: null }
    },
  },
}

/** The module of one icon, made by `lineIcon` of the module `maker`; a list of others stays as it is. */
export function withOwnMaker(code: string, maker: string): string {
  if (/^export { default\b/m.test(code)) return code
  const own = code
    .replace(
      "import createLucideIcon from '../createLucideIcon.mjs';",
      `import { lineIcon as createLucideIcon } from '${maker}';`,
    )
    .replace(/,\s*key: "\w+"/g, '')
    .replace(/^ {2}name: "[\w-]+",\n {2}size: 24,\n/m, '')
    .replace(/^__iconData.node;\n/m, '')
    .replace(/= createLucideIcon\(/, '= /*#__PURE__*/ createLucideIcon(')
  if (!own.includes(maker))
    throw new Error('An icon of the library is not made as it was: see scripts/tools/line-icons.ts.')
  return own
}
