import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { replaceIconFactory } from './line-icons.ts'

const file = (name: string) => readFileSync(`node_modules/lucide-react/dist/esm/icons/${name}.mjs`, 'utf8')

test('an icon keeps every line that it draws, and is made by the house', () => {
  const [was, is] = [file('disc-3'), replaceIconFactory(file('disc-3'), '/maker.ts')]
  const drawn = (code: string) => [...code.matchAll(/\b(?:d|cx|cy|r): "[^"]+"/g)].map(([what]) => what)
  expect(drawn(is)).toEqual(drawn(was))
  expect(drawn(is).length).toBe(8)
  expect(is).toContain("import { lineIcon as createLucideIcon } from '/maker.ts'")
  expect(is).not.toMatch(/key|name:|size:/)
})

test('an icon that the library makes in another way ends the build', () => {
  const heart = file('heart')
  const others = [
    'export default make("disc")',
    heart.replace('size: 24', 'size: 16'),
    heart.replace('size: 24', 'size: 24,\n  aliases: ["love"]'),
    heart.replace('key: ', 'key: "a" + '),
  ]
  for (const other of others) {
    expect(other).not.toBe(heart)
    expect(() => replaceIconFactory(other, '/maker.ts')).toThrow('line-icons')
  }
})

/** What web/ui/line-icon.ts draws as the library's maker does. */
const KNOWN = ['size', 'strokeWidth', 'fill', 'className', 'aria-hidden', 'aria-label']

/** How often a file shows an icon of the library, and what it says of one that the house's maker does not know. */
function iconsOf(path: string) {
  const text = readFileSync(path, 'utf8')
  const imported = new Set<string>()
  const names = new Set<string>()
  let [shown, importsEnd] = [0, 0]
  const unknown: string[] = []
  new Visitor({
    ImportDeclaration({ source, specifiers, end }) {
      importsEnd = end
      if (source.value === 'lucide-react') for (const { local } of specifiers) imported.add(local.name)
    },
    Identifier({ name, start }) {
      if (start < importsEnd || !imported.has(name)) return
      // One of two under a name of ours, or a list that hands icons on as its `Icon`.
      const [, own, listed] = /(?:\bconst (\w+) = [^\n]*|[ {](Icon): )$/.exec(text.slice(0, start)) ?? []
      if (own || listed) names.add(own ?? listed ?? '')
      else unknown.push(`${path}: ${name} as a value`)
    },
    JSXOpeningElement({ name, attributes, selfClosing }) {
      if (name.type !== 'JSXIdentifier' || !(imported.has(name.name) || names.has(name.name))) return
      shown += 1
      if (!selfClosing) unknown.push(`${path}: children of ${name.name}`)
      for (const one of attributes) {
        const what = one.type === 'JSXAttribute' && one.name.type === 'JSXIdentifier' ? one.name.name : '{...}'
        if (!KNOWN.includes(what)) unknown.push(`${path}: ${what} of ${name.name}`)
      }
    },
  }).visit(parseSync(path, text).program)
  return { shown, unknown }
}

test('no icon is given what the house’s maker draws in another way than the library', () => {
  const all = globSync('web/**/*.tsx', { exclude: (name) => name.includes('.test.') }).map(iconsOf)
  expect(all.reduce((sum, { shown }) => sum + shown, 0)).toBeGreaterThan(70)
  expect(all.flatMap(({ unknown }) => unknown)).toEqual([])
})
