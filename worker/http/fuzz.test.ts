import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app'
import { endpoints } from '../contract'
import { findWrongTotals } from '../db/totals'
import type { Env } from '../env'
import { RATE_LIMITERS, send } from '../testing/client'
import { addUser, isLongRun, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

// These tests send valid, boundary and garbage values to every endpoint, generated from its schema. `npm run test:long`
// sends more, with a random seed that a failure prints.

/** Requests per endpoint. */
const RUNS = isLongRun ? 100 : 4

type JsonSchema = {
  [key in 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems']?: number
} & {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  pattern?: string
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

const NASTY_STRINGS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  '\r\nset-cookie: a=b',
  "' OR 1=1 --",
  '"',
  '%',
  '_%',
  '%00',
  '../..',
  'constructor',
  '__proto__',
  'NaN',
  '-0',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  '<script>',
  '{{token}}',
  '☃',
  'é'.repeat(500),
  'x'.repeat(5000),
  '🎤',
  'null',
  '[]',
  '2026-02-30',
  '99:99',
  'fan@mail.example',
  'a@b',
  '@',
  'user:1',
  'show-1',
  'up_none',
  '1',
  '-1',
  '0',
  '*',
  '" OR ""',
  'NEAR(a b)',
]
const nastyString = fc.oneof(fc.constantFrom(...NASTY_STRINGS), fc.string({ unit: 'binary' }))
const nastyNumber = fc.constantFrom(-1, 0, -0, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.NaN)
const garbage = fc.oneof(
  nastyString,
  nastyNumber,
  fc.jsonValue(),
  fc.constantFrom(null, true, [], {}, [[]], { toString: 1 }, { __proto__: null, constructor: { prototype: {} } }),
)

/** Generates mostly values of a schema, and sometimes garbage. */
function anyValueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: mostlyValidValueOf(schema) }, { weight: 1, arbitrary: garbage })
}

function mostlyValidValueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const parts = schema.anyOf ?? schema.allOf
  if (parts) return fc.oneof(...parts.map(anyValueOf))
  const { minLength = 0, maxLength = 300, minimum = -(2 ** 53), maximum = 2 ** 53 } = schema
  switch (schema.type) {
    case 'string':
      return fc.oneof(
        schema.pattern
          ? fc.stringMatching(new RegExp(schema.pattern))
          : fc.string({ minLength, maxLength: maxLength + 1 }),
        fc.constant('x'.repeat(maxLength)),
        nastyString,
      )
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(minimum, maximum, maximum + 1), nastyNumber)
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const { minItems = 0, maxItems = 5, items = {} } = schema
      return fc.array(anyValueOf(items), { minLength: minItems, maxLength: Math.min(maxItems + 1, 30) })
    }
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, anyValueOf(field)])
      const record = fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] })
      return fc.oneof(
        { weight: 8, arbitrary: record },
        { weight: 1, arbitrary: record.map((fields) => ({ ...fields, extra: 1 })) },
      )
    }
    default:
      return garbage
  }
}

const QUERY_NAMES = [
  'q',
  'cursor',
  'w',
  'token',
  'tier',
  'client_secret',
  'service',
  'year',
  'city',
  'kind',
  'code',
  'state',
]
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const pathParameter = fc.oneof(
  fc.constantFrom('1', 'show-1', 'clip', 'open', 'any', 'hero.webp', '32', 'bronze'),
  nastyString.map((text) => encode(text) || '%20'),
  fc.constantFrom('%ED%A0%80', '%', '%zz', '%2e%2e', '..'),
)
const query = fc
  .array(
    fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.oneof(nastyString.map(encode), fc.constantFrom('%ff', '%', '1'))),
    {
      maxLength: 3,
    },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const requestHeaders = fc.dictionary(
  fc.constantFrom(
    'range',
    'if-none-match',
    'accept-language',
    'content-type',
    'x-forwarded-for',
    'user-agent',
    'accept',
  ),
  fc.oneof(
    fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1,2-', '*', 'W/"', 'application/json', 'text/html;q=x', ','),
    fc.string({ maxLength: 40 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
  ),
  { maxKeys: 2 },
)
/** Cookies in addition to the session, mostly none. */
const extraCookies = fc.constantFrom(
  '',
  '',
  '',
  '; bookmark=x',
  '; __Host-device=%00',
  '; listen_1=a.b',
  '; __Host-session=',
)
const ALLOWED = { success: true }
const UNLIMITED: Partial<Env> = Object.fromEntries(RATE_LIMITERS.map((name) => [name, { limit: async () => ALLOWED }]))

let requestCount = 0
const app = createApp(() => NOON)
beforeAll(loadFixtures)

describe.each(endpoints)('$method $path', ({ method, path, auth, body, raw }) => {
  test(
    'answers any request without an internal error',
    async () => {
      const error = vi.spyOn(console, 'error').mockReturnValue()
      const caller = auth === 'admin' ? 'administrator' : 'supporter'
      const newCookie = async () => cookieHeaderFor(caller, caller === 'supporter' ? (await addUser()).id : undefined)
      let cookie = await newCookie()
      const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
      const segments = path.split('/').map((part) => (part.startsWith(':') ? pathParameter : fc.constant(part)))
      const json = schema ? anyValueOf(schema).map((value) => JSON.stringify(value)) : fc.constant(undefined)
      const bytes = fc.uint8Array({ maxLength: 300 })
      const input = fc.record({
        url: fc.tuple(fc.tuple(...segments), query).map(([parts, search]) => `${parts.join('/')}?${search}`),
        content: raw
          ? bytes
          : fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: fc.constantFrom('{', '\0', '[1') }),
        headers: requestHeaders,
        extraCookie: extraCookies,
      })
      await fc.assert(
        fc.asyncProperty(input, async ({ url, content, headers, extraCookie }) => {
          requestCount += 1
          const response = await send(method, url, undefined, {
            app,
            env: UNLIMITED,
            raw: method === 'GET' ? undefined : (content as BodyInit | undefined),
            headers: {
              'content-type': raw?.types[0] ?? 'application/json',
              ...headers,
              cookie: cookie + extraCookie,
              'cf-connecting-ip': `102.${requestCount >> 8}.${requestCount & 255}.7`,
            },
          })
          await response.arrayBuffer()
          if (response.status === 401) cookie = await newCookie()
          const unhandled = error.mock.calls
            .map(([line]) => String(line))
            .filter((line) => line.includes('"unhandled"'))
          expect([response.status, unhandled]).toEqual([expect.toSatisfy((status) => status !== 500), []])
        }),
        { numRuns: RUNS, ...(!isLongRun && { seed: 20_261_122 }), endOnFailure: false },
      )
    },
    20_000 + RUNS * 500,
  )
})

test('lists answer any search or cursor without an internal error', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const cookie = await cookieHeaderFor('administrator')
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !/:|\.\w+$/.test(path))
  const failed: string[] = []
  for (const { path } of lists)
    for (const value of [
      "ab_'\0",
      'a\0b',
      'abc"',
      '\ud800abc',
      "' OR 1=1 --",
      'NEAR(abc abc)',
      '*abc',
      'x'.repeat(5000),
    ])
      for (const name of ['q', 'cursor']) {
        const url = `${path}?${name}=${encode(value)}`
        const response = await send('GET', url, undefined, { app, env: UNLIMITED, headers: { cookie } })
        await response.arrayBuffer()
        if (response.status === 500) failed.push(url)
      }
  expect([failed, error.mock.calls]).toEqual([[], []])
})

test('stored totals match their rows after garbage requests', async () => {
  expect(requestCount).toBeGreaterThan(isLongRun ? 20_000 : 1_000)
  expect(await findWrongTotals(env.DB)).toEqual([])
})
