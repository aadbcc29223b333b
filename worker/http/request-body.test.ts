import { createExecutionContext, env } from 'cloudflare:test'
import fc from 'fast-check'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app'
import { line } from '../contract/fields'
import { limits } from '../limits'
import { errorOf, fillPath, ORIGIN, servedWriteRoutes, statusAndCodeOf } from '../testing/client'
import type { AppEnv } from './app-env'
import { onError } from './on-error'
import { limitRequestBody, requireJson } from './request-body'
import { validateBody } from './validate'

/** Bodies that a test route behind the production middleware received. */
const received: unknown[] = []
const endpoint = { body: z.strictObject({ name: line(40, 'The name'), size: z.optional(z.number()) }) }
const app = new Hono<AppEnv>().use(limitRequestBody, requireJson).post('/echo', validateBody(endpoint), (c) => {
  received.push(c.req.valid('json'))
  return c.body(null, 204)
})
app.onError(onError)

const JSON_TYPE = { 'content-type': 'application/json', origin: ORIGIN }
const post = (body: BodyInit | undefined, headers: Record<string, string> = JSON_TYPE) =>
  app.request(`${ORIGIN}/echo`, { method: 'POST', headers, body }, env)
const toChunkedStream = (text: string) =>
  new ReadableStream({
    start(stream) {
      for (let i = 0; i < text.length; i += 1000) stream.enqueue(new TextEncoder().encode(text.slice(i, i + 1000)))
      stream.close()
    },
  })
const tooLong = JSON.stringify({ name: 'x'.repeat(17 * 1024) })

test('rejects malformed JSON', async () => {
  const broken: [string, BodyInit | undefined][] = [
    ['malformed', '{"name":'],
    ['a bare word', 'name'],
    ['two values', '{} {}'],
    ['empty', ''],
    ['absent', undefined],
    ['invalid UTF-8', new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0xfe, 0x22, 0x7d])],
    ['half a character', new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xe2, 0x82, 0x22, 0x7d])],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ]
  for (const [label, body] of broken) {
    const [status, code, message] = await errorOf(await post(body))
    expect([label, status, code]).toEqual([label, 400, 'bad_json'])
    expect(message).toMatch(/^[A-Z][^{}<>]*\.$/)
  }
})

test('rejects JSON that does not match the schema', async () => {
  const wrong: [string, string][] = [
    ['null', 'null'],
    ['a number', '1'],
    ['arrays five hundred deep', '['.repeat(500) + ']'.repeat(500)],
    ['a field with arrays seven thousand deep', `{"name":${'['.repeat(7000)}${']'.repeat(7000)}}`],
    ['a list for a text', '{"name":["a"]}'],
    ['an operator for a text', '{"name":{"$ne":null}}'],
    ['an infinite number', '{"name":"a","size":1e400}'],
    ['an unknown field', '{"name":"a","role":"administrator"}'],
    ['__proto__', '{"name":"a","__proto__":{"admin":true}}'],
    ['constructor', '{"name":"a","constructor":{"prototype":{"admin":true}}}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['only control characters', '{"name":"\\u0000\\u0007"}'],
  ]
  for (const [label, text] of wrong) {
    const [status, code, message] = await errorOf(await post(text))
    expect([label, status, code]).toEqual([label, 400, 'bad_input'])
    expect(message).toMatch(/^[A-Z][^{}<>$]*\.$/)
  }
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('uses the last of duplicate keys', async () => {
  received.length = 0
  expect((await post('{"name":"first","name":"last"}')).status).toBe(204)
  expect(received).toEqual([{ name: 'last' }])
})

test('rejects other content types', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json-seq',
    'text/json',
    '',
  ])
    expect([
      type,
      ...(await statusAndCodeOf(await post('{"name":"a"}', { origin: ORIGIN, 'content-type': type }))),
    ]).toEqual([type, 400, 'bad_json'])
  expect((await post('{"name":"a"}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(204)
})

test('answers 413 above the size limit', async () => {
  expect(tooLong.length).toBeGreaterThan(limits.maxJsonBodyBytes)
  expect(await errorOf(await post(tooLong))).toEqual([413, 'too_large', 'That is too large to send.'])
  expect(await errorOf(await post(toChunkedStream(tooLong)))).toEqual([413, 'too_large', 'That is too large to send.'])
  expect((await post(toChunkedStream(`{"name":"a"${' '.repeat(limits.maxJsonBodyBytes - 12)}}`))).status).toBe(204)
})

test('never fails on arbitrary bytes', async () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json({ maxDepth: 6 }).map((text) => new TextEncoder().encode(text)),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      const response = await post(bytes)
      expect([204, 400]).toContain(response.status)
    }),
    { numRuns: 300 },
  )
})

test('never fails on invalid bodies of any write', async () => {
  const app = createApp()
  for (const { method, path } of servedWriteRoutes())
    for (const malformed of ['{"', '[]', 'null', '{"__proto__":{}}', '{"a":1e400}', '"\\ud800"']) {
      const request = new Request(ORIGIN + fillPath(path), { method, headers: JSON_TYPE, body: malformed })
      const response = await app.fetch(request, env, createExecutionContext())
      expect([method, path, malformed, response.status < 500]).toEqual([method, path, malformed, true])
      if (response.status >= 400) expect(response.headers.get('x-error-code')).not.toBeNull()
      await response.arrayBuffer()
    }
})
