import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const ICON_FACTORY = resolve('web/ui/line-icon.ts')

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
      return { code: replaceIconFactory(code, ICON_FACTORY), map: null }
    },
  },
}

/**
 * The module of one icon, made by `lineIcon` of the module `maker`; a list of others stays as it is.
 * @throws Error where the library's file holds anything else than what is known of it: its maker, names, keys, a square of 24.
 */
export function replaceIconFactory(code: string, maker: string): string {
  if (/^export { default\b/m.test(code)) return code
  const own = code
    .replace(
      "import createLucideIcon from '../createLucideIcon.mjs';",
      `import { lineIcon as createLucideIcon } from '${maker}';`,
    )
    .replace(/,\s*key: "\w+"(?=\s*})/g, '')
    .replace(/^ {2}name: "[\w-]+",\n {2}size: 24,\n/m, '')
    .replace(/,\n {2}aliases: \[[^\]]*\]/, '')
    .replace(/^__iconData.node;\n/m, '')
    .replace(/= createLucideIcon\(/, '= /*#__PURE__*/ createLucideIcon(')
  // What stays would be carried for nothing, and an icon on a square of another size would be drawn on one of 24.
  if (!own.includes(maker) || /\b(key|name|size|aliases):/.test(own))
    throw new Error('An icon of the library is not made as it was: see scripts/tools/line-icons.ts.')
  return own
}
