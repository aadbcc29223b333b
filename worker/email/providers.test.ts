import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { type Env, readConfig } from '../env'
import { enqueueEmail } from './outbox'
import { createEmailProvider, type OutgoingEmail, resendProvider, sendEmail } from './providers'

afterEach(() => vi.restoreAllMocks())

const FROM = { email: 'hello@fan.example', name: 'Any "Artist" <x>' }
const EMAIL_DRAFT: OutgoingEmail = {
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
async function trySend(changes: Partial<OutgoingEmail>, from = FROM) {
  const calls: OutgoingEmail[] = []
  const outcome = await sendEmail(
    async (email) => {
      calls.push(email)
      return { kind: 'sent', providerId: 'p' }
    },
    { ...EMAIL_DRAFT, ...changes },
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
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }],
  ['a header that is not allowed', { headers: { Bcc: 'x@evil.example' } }],
  ['a header in lower case', { headers: { 'list-unsubscribe': '<https://fan.example>' } }],
  ['a header with a line break', { headers: { 'List-Unsubscribe': '<x>\r\nBcc: x@evil.example' } }],
  ['no text', { text: ' ' }],
  ['no HTML', { html: '' }],
])('rejects %s without calling the provider', async (_, mail) => {
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
  const enqueue = (to: string, subject: string, headers = {}) =>
    enqueueEmail(db, { to, email: { kind: 'x', subject, text: 't', html: 'h', headers }, dedupeKey: 'd', at: 0 })
  expect(() => enqueue('a@b.co\r\nBcc: c@d.co', 'Hi')).toThrow('not a single email address')
  expect(() => enqueue('a@b.co', 'Hi\r\nBcc: c@d.co')).toThrow('subject')
  expect(() => enqueue('a@b.co', 'Hi', { Bcc: 'c@d.co' })).toThrow('header')
  expect(enqueue('a@b.co', 'Hi')).toBe(null)
})

declare module 'vitest' {
  interface ProvidedContext {
    resendUrl: string
  }
}

let keyCount = 0
/** Sends through the fake Resend (scripts/fakes/resend.ts), where the recipient's name selects a fault. */
async function sendWithResend(name: string, changes: Partial<OutgoingEmail> = {}) {
  const provider = resendProvider({ apiKey: 'k', url: inject('resendUrl') })
  const email = { ...EMAIL_DRAFT, key: `resend-${++keyCount}`, to: `${name}@mail.example`, ...changes }
  const send = () => sendEmail(provider, email, FROM)
  const { length: earlierCount } = await listRequests()
  return { outcome: await send(), send, readRequests: async () => (await listRequests()).slice(earlierCount) }
}
const listRequests = async () =>
  (await (await fetch(`${inject('resendUrl')}/requests`)).json()) as Record<string, unknown>[]

test('sends Resend the email, its key and a clean sender', async () => {
  const { outcome, readRequests } = await sendWithResend('fan', { key: 'key-1' })
  expect(outcome).toEqual({ kind: 'sent', providerId: expect.stringMatching(/^email-/) })
  const body = {
    from: 'Any Artist x <hello@fan.example>',
    to: ['fan@mail.example'],
    subject: 'Any subject',
    text: 'Text',
    html: '<p>Text</p>',
    headers: EMAIL_DRAFT.headers,
  }
  expect(await readRequests()).toEqual([{ path: '/emails', authorization: 'Bearer k', key: 'key-1', body }])
})

test.each([
  ['status-422', { kind: 'rejected', reason: '422 some_error' }],
  ['status-400', { kind: 'rejected', reason: '400 some_error' }],
  ['status-401', { kind: 'retry', reason: '401 some_error', busy: false, inDoubt: false }],
  ['status-409', { kind: 'retry', reason: '409 some_error', busy: false, inDoubt: false }],
  ['status-429-after-7', { kind: 'retry', reason: '429 some_error', busy: true, inDoubt: false, afterMs: 7000 }],
  ['status-500', { kind: 'retry', reason: '500 some_error', busy: false, inDoubt: false }],
  ['status-503', { kind: 'retry', reason: '503 some_error', busy: false, inDoubt: false }],
  ['responds-with-html', { kind: 'retry', reason: '502', busy: false, inDoubt: true }],
  ['drops-before-accepting', { kind: 'retry', reason: expect.stringContaining('No answer'), inDoubt: true }],
  ['redirects', { kind: 'retry', reason: '307', busy: false, inDoubt: false }],
] as const)('maps Resend’s %s to %o', async (fault, expected) => {
  expect((await sendWithResend(fault)).outcome).toEqual(expected)
})

test.each(['drops-after-accepting', 'drops-within-response'])('sends once when Resend %s', async (fault) => {
  const { outcome, send, readRequests } = await sendWithResend(fault)
  expect(outcome.kind).toBe(fault === 'drops-after-accepting' ? 'retry' : 'sent')
  const again = await send()
  expect(again).toEqual({ kind: 'sent', providerId: expect.stringMatching(/^email-/) })
  // Resend answers a repeated key with the first email.
  expect(await send()).toEqual(again)
  expect(new Set((await readRequests()).map(({ key }) => key)).size).toBe(1)
})

test('another email under a used key has an unknown outcome', async () => {
  const { outcome } = await sendWithResend('fan', { key: 'reused' })
  expect(outcome.kind).toBe('sent')
  const other = await sendWithResend('fan', { key: 'reused', subject: 'Another subject' })
  expect(other.outcome).toEqual({ kind: 'unknown', reason: '409 invalid_idempotent_request' })
})

/** The host or binding through which each kind is sent, with or without a Resend key. */
async function sendersOf(key: string | undefined, kinds: readonly string[]) {
  const senders: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    senders.push(new URL(String(url)).host)
    return Response.json({ id: 'r1' })
  })
  const EMAIL = {
    send: async () => {
      senders.push('binding')
      return { messageId: 'b1' }
    },
  } as unknown as SendEmail
  const deploymentEnv = { ...env, EMAIL, MAIL_FROM: FROM.email, RESEND_API_KEY: key } as Env
  const provider = createEmailProvider(deploymentEnv, readConfig(deploymentEnv))
  for (const kind of kinds) await sendEmail(provider, { ...EMAIL_DRAFT, kind }, FROM)
  return senders
}

test('sends nothing if email is off', async () => {
  const deploymentEnv = { ...env, EMAIL: undefined, EMAIL_SENDING: 'off', RESEND_API_KEY: 'key' } as unknown as Env
  const provider = createEmailProvider(deploymentEnv, readConfig(deploymentEnv))
  for (const kind of ['verify', 'broadcast'])
    expect(await sendEmail(provider, { ...EMAIL_DRAFT, kind }, FROM)).toEqual({
      kind: 'rejected',
      reason: 'This site sends no email (EMAIL_SENDING).',
    })
})

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
  expect(new Set(await sendersOf('key', personal))).toEqual(new Set(['binding']))
  expect(await sendersOf('key', bulk)).toEqual(bulk.map(() => 'api.resend.com'))
  expect(new Set(await sendersOf(undefined, [...personal, ...bulk]))).toEqual(new Set(['binding']))
})
