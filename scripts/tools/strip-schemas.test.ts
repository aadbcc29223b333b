import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { stripSchemas } from './strip-schemas.ts'

const strip = (code: string) => stripSchemas(code, parseAst(code) as unknown as Parameters<typeof stripSchemas>[1])

test('a row keeps its path and options, and says only that a body and an answer exist', () => {
  expect(
    strip(
      `export const api = { all: get('/a', z.array(A)), add: post('/a', z.object({}), null, { who: 'supporter' }), file: get('/f', null) }`,
    ),
  ).toBe(
    `export const api = { all: get('/a', true), add: post('/a', true, null, { who: 'supporter' }), file: get('/f', null) }`,
  )
})

test('a shape falls away unless somebody uses it', () => {
  expect(strip(`export const A = z.object({ n: z.string().check(z.minLength(1)) })`)).toBe(
    `export const A = /*#__PURE__*/ (() => z.object({ n: z.string().check(z.minLength(1)) }))()`,
  )
})

test('plain values and functions stay as they are', () => {
  const code = `export const TIERS = ['a', 'b']\nconst CONTROLS = /x/g\nexport function line(max) { return z.string(max) }`
  expect(strip(code)).toBe(code)
})
