import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withOwnMaker } from './line-icons.ts'

const file = (name: string) => readFileSync(`node_modules/lucide-react/dist/esm/icons/${name}.mjs`, 'utf8')

test('an icon keeps every line that it draws, and is made by the house', () => {
  const [was, is] = [file('disc-3'), withOwnMaker(file('disc-3'), '/maker.ts')]
  const drawn = (code: string) => [...code.matchAll(/\b(?:d|cx|cy|r): "[^"]+"/g)].map(([what]) => what)
  expect(drawn(is)).toEqual(drawn(was))
  expect(drawn(is).length).toBe(8)
  expect(is).toContain("import { lineIcon as createLucideIcon } from '/maker.ts'")
  expect(is).not.toMatch(/key|name:|size:/)
})

test('an icon that the library makes in another way ends the build', () => {
  expect(() => withOwnMaker('export default make("disc")', '/maker.ts')).toThrow('line-icons')
})
