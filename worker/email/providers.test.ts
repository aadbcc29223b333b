import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { type Env, readConfig } from '../env'
import { enqueueEmail } from './outbox'
import { createEmailProvider, type OutgoingEmail, resendProvider, sendEmail } from './providers'

afterEach(() => vi.restoreAllMocks())

const FROM = { email: 'hello@fan.example', name: 'Any "Artist" <x>' }
const MAIL: OutgoingEmail = {
  key: 'key-1',
  kind: 'any',
  to: 'fan@mail.example',
  subject: 'Any subject',
  text: 'Text',
  html: '<p>Text</p>',
  headers: {
    'List-Unsubscribe': '<https://fan.example/api/out>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
}

/** Sends through a fake provider; returns the result kind and the number of calls. */
async function trySend(mail: Partial<OutgoingEmail>, from = FROM) {
  const calls: OutgoingEmail[] = []
  const outcome = await sendEmail(
    async (email) => {
      calls.push(email)
      return { kind: 'sent', providerId: 'p' }
    },
    { ...MAIL, ...mail },
    from,
  )
  return [outcome.kind, calls.length]
}

test('sends a well-formed email', async () => {
  expect(await trySend({})).toEqual(['sent', 1])
  expect(await trySend({ to: 'jürgen@bücher.example' })).toEqual(['sent', 1])
})

test.each<[string, Partial<OutgoingEmail>]>([
  ['two addresses', { to: 'a@mail.example, b@mail.example' }],
  ['a display name', { to: 'Fan <fan@mail.example>' }],
  ['a line break in the address', { to: 'fan@mail.example\r\nBcc: x@evil.example' }],
  ['no address', { to: '' }],
  ['a line break in the subject', { subject: 'Hi\r\nBcc: x@evil.example' }],
  ['a lone line feed in the subject', { subject: 'Hi\nthere' }],
  ['an empty subject', { subject: '  ' }],
  ['an endless subject', { subject: 'x'.repeat(999) }],
  ['a header of another kind', { headers: { Bcc: 'x@evil.example' } }],
  ['a header in lower case', { headers: { 'list-unsubscribe': '<https://fan.example>' } }],
  ['a header with a line break', { headers: { 'List-Unsubscribe': '<x>\r\nBcc: x@evil.example' } }],
  ['no text', { text: ' ' }],
  ['no HTML', { html: '' }],
])('rejects %s before the provider', async (_, mail) => {
  expect(await trySend(mail)).toEqual(['rejected', 0])
})

test('rejects an invalid sender address', async () => {
  expect(await trySend({}, { ...FROM, email: 'hello' })).toEqual(['rejected', 0])
})

test('never passes line breaks into a header', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const [, calls] = await trySend({ to: `fan${text}@mail.example`, subject: `Hi ${text}` })
      if (calls) expect(text).not.toMatch(/[\r\n,;<>]/)
    }),
  )
})

test('throws when enqueuing an invalid email', () => {
  const db = { prepare: () => ({ bind: () => null }) } as unknown as D1Database
  const put = (to: string, subject: string, headers = {}) =>
    enqueueEmail(db, { to, email: { kind: 'x', subject, text: 't', html: 'h', headers }, dedupeKey: 'd', at: 0 })
  expect(() => put('a@b.co\r\nBcc: c@d.co', 'Hi')).toThrow('Not one address')
  expect(() => put('a@b.co', 'Hi\r\nBcc: c@d.co')).toThrow('subject')
  expect(() => put('a@b.co', 'Hi', { Bcc: 'c@d.co' })).toThrow('header')
  expect(put('a@b.co', 'Hi')).toBe(null)
})

/** Sends through Resend with a mocked `fetch`. */
async function sendWithResend(response: () => Promise<Response>) {
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(response)
  const outcome = await sendEmail(resendProvider({ apiKey: 'k', url: 'https://api.resend.example' }), MAIL, FROM)
  return { outcome, request: new Request(...(fetchSpy.mock.calls[0] as [URL, RequestInit])) }
}

test('sends Resend the email, its key and a clean sender', async () => {
  const { outcome, request } = await sendWithResend(async () => Response.json({ id: 'r1' }))
  expect(outcome).toEqual({ kind: 'sent', providerId: 'r1' })
  expect([request.method, request.url]).toEqual(['POST', 'https://api.resend.example/emails'])
  expect(request.headers.get('idempotency-key')).toBe('key-1')
  expect(request.headers.get('authorization')).toBe('Bearer k')
  expect(await request.json()).toEqual({
    from: 'Any Artist x <hello@fan.example>',
    to: ['fan@mail.example'],
    subject: 'Any subject',
    text: 'Text',
    html: '<p>Text</p>',
    headers: MAIL.headers,
  })
})

test.each([
  [422, {}, 'rejected', undefined],
  [400, {}, 'rejected', undefined],
  [401, {}, 'retry', undefined],
  [409, {}, 'retry', undefined],
  [429, { 'retry-after': '7' }, 'retry', 7000],
  [500, {}, 'retry', undefined],
  [503, {}, 'retry', undefined],
])('maps Resend status %i with %o to %s', async (status, headers, kind, afterMs) => {
  const { outcome } = await sendWithResend(async () => Response.json({ name: 'some_error' }, { status, headers }))
  expect(outcome).toMatchObject({ kind, reason: `${status} some_error`, ...(afterMs && { afterMs }) })
})

test('treats a reused idempotency key as unknown', async () => {
  const { outcome } = await sendWithResend(async () =>
    Response.json({ name: 'invalid_idempotent_request' }, { status: 409 }),
  )
  expect(outcome).toEqual({ kind: 'unknown', reason: '409 invalid_idempotent_request' })
})

test('retries a broken connection to Resend', async () => {
  const { outcome } = await sendWithResend(() => Promise.reject(new TypeError('network')))
  expect(outcome).toMatchObject({ kind: 'retry', inDoubt: true })
})

/** The provider that sends each kind, with or without a Resend key. */
async function providersOf(key: string | undefined, kinds: readonly string[]) {
  const providers: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    providers.push(new URL(String(url)).host)
    return Response.json({ id: 'r1' })
  })
  const EMAIL = {
    send: async () => {
      providers.push('binding')
      return { messageId: 'b1' }
    },
  } as unknown as SendEmail
  const deployment = { ...env, EMAIL, MAIL_FROM: FROM.email, RESEND_API_KEY: key } as Env
  const provider = createEmailProvider(deployment, readConfig(deployment))
  for (const kind of kinds) await sendEmail(provider, { ...MAIL, kind }, FROM)
  return providers
}

test('sends bulk email through Resend if a key is configured', async () => {
  const personal = [
    'verify',
    'reset',
    'newsletter_confirm',
    'newsletter_welcome',
    'receipt',
    'csv_link',
    'trial_ending',
  ]
  const bulk = ['broadcast', 'broadcast_test', 'show_alert']
  expect(new Set(await providersOf('key', personal))).toEqual(new Set(['binding']))
  expect(await providersOf('key', bulk)).toEqual(bulk.map(() => 'api.resend.com'))
  expect(new Set(await providersOf(undefined, [...personal, ...bulk]))).toEqual(new Set(['binding']))
})
