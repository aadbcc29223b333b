import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { AGE_NOTICE, AGE_NOTICE_VERSION, MINIMUM_AGE_YEARS } from '../contract/retention'
import { AppError } from '../lib/app-error'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { restorePasswordCost } from '../testing/password-cost'
import { seedSite } from '../testing/seed'
import { beforeBatch, withMethods } from '../testing/stores'
import { uniqueIp } from '../testing/users'
import { hashPhone } from '../users/phone'

const PASSWORD = 'seven golden lanterns'
const USERNAME_RULE = 'A username has 3 to 30 letters, numbers, dots, dashes or underscores.'
let formCount = 0

beforeAll(() => seedSite(env.DB, { site: { name: 'Coral Kingsley', referralPrefix: 'CORAL' } }))

const form = (fields: Record<string, unknown> = {}) => {
  formCount++
  return { username: `newcomer${formCount}`, email: `newcomer${formCount}@fan.example`, password: PASSWORD, ...fields }
}
const signUp = (fields: Record<string, unknown> = {}) =>
  newBrowser({ address: uniqueIp() }).send('POST', '/api/auth/signup', form(fields))
const readUser = (username: string) =>
  env.DB.prepare('SELECT * FROM users WHERE username = ?').bind(username).first<Record<string, unknown>>()
const ledgerOf = async (id: unknown) =>
  (await env.DB.prepare('SELECT action, points FROM ledger WHERE user_id = ?').bind(id).all()).results

test('sign-up returns the new supporter and logs in', async () => {
  const browser = newBrowser({ address: uniqueIp() })
  const fields = form()
  const response = await browser.send('POST', '/api/auth/signup', fields)
  const user = await response.json<Record<string, unknown>>()
  expect([response.status, user]).toEqual([
    201,
    {
      id: expect.any(Number),
      username: fields.username,
      points: 0,
      email: fields.email,
      emailVerified: false,
      tier: 'bronze',
      role: 'supporter',
      teamRole: null,
      referralCode: expect.stringMatching(new RegExp(`^CORAL${user.id}[A-Z0-9]{3}$`)),
      referralsUsed: 0,
      referralLimit: 3,
      emailSent: true,
    },
  ])
  const { emailSent: _, ...me } = user
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toEqual(me)
})

test('stores passwords as slow, salted hashes', async () => {
  restorePasswordCost()
  const passwordHashOf = async (username: string) => {
    await signUp({ username })
    return String((await readUser(username))?.password_hash)
  }
  const [first, second] = [await passwordHashOf('salt-a'), await passwordHashOf('salt-b')]
  const [, cost, , , salt] = first.split('$')
  expect([first.startsWith('scrypt$'), Number(cost) >= 14, salt!.length >= 22]).toEqual([true, true, true])
  expect([second === first, second.split('$')[4] === salt, first.includes(PASSWORD)]).toEqual([false, false, false])
})

test.each([
  '12345678 nine boats',
  'éclair à la plage',
  '🎷🎺🥁🎸🎻🎹🪕🪘',
  ' spaces at the ends ',
  `${'x'.repeat(120)}y z w q`,
])('accepts the password %s unchanged', async (password) => {
  const { username, ...fields } = form({ password })
  expect((await signUp({ username, ...fields })).status).toBe(201)
  const logIn = async (attempt: string) =>
    (await newBrowser({ address: uniqueIp() }).send('POST', '/api/auth/login', { username, password: attempt })).status
  expect([await logIn(password), await logIn(password.slice(0, -1))]).toEqual([200, 401])
  if (password.length > 72) expect(await logIn(password.slice(0, 72))).toBe(401)
})

test('stores age notice version and time only when sent', async () => {
  // API clients may omit the version; then no confirmation is recorded.
  for (const [username, ageWording, at] of [
    ['age-a', AGE_NOTICE_VERSION, expect.any(Number)],
    ['age-b', undefined, null],
  ]) {
    expect((await signUp({ username, ageWording })).status).toBe(201)
    expect(await readUser(username)).toMatchObject({ age_confirmed_at: at, age_wording: ageWording ?? null })
  }
})

test('the age notice and its version change together', () => {
  expect([AGE_NOTICE_VERSION, AGE_NOTICE, MINIMUM_AGE_YEARS]).toEqual([
    'age-13-2025-07-18',
    'By creating an account, also with Google, you confirm that you are 13 or older.',
    13,
  ])
})

test('sign-up sends one confirmation email and stores the token hash', async () => {
  await signUp({ username: 'mailed', email: 'mailed@fan.example' })
  const email = await env.DB.prepare("SELECT * FROM outbox WHERE recipient = 'mailed@fan.example'").first<{
    text: string
  }>()
  const token = /https:\/\/fan\.example\/verify-email\?token=([\w-]{43})\s/.exec(email?.text ?? '')?.[1]
  expect(token).toBeDefined()
  const { results } = await env.DB.prepare('SELECT * FROM mail_tokens').all()
  expect(JSON.stringify(results)).not.toContain(token)
})

test.each([
  ['no username', { username: undefined }, 'Please fill in all required fields.'],
  ['no email', { email: undefined }, 'Please fill in all required fields.'],
  ['no password', { password: undefined }, 'Please fill in all required fields.'],
  ['a username of spaces', { username: '   ' }, 'Please fill in all required fields.'],
  ['a role', { role: 'administrator' }, 'That request contains an unknown field: role.'],
  ['points', { points: 9999 }, 'That request contains an unknown field: points.'],
  ['a username of 10,000 characters', { username: 'a'.repeat(10_000) }, USERNAME_RULE],
  ['a look-alike space', { username: 'fan\u2003one' }, USERNAME_RULE],
  ['full-width characters', { username: 'ｆａｎ' }, USERNAME_RULE],
  ['a Cyrillic letter', { username: 'fаn-one' }, USERNAME_RULE],
  ['a username of dots', { username: '....' }, 'A username needs at least one letter or number.'],
  ['a username in an array', { username: ['a', 'b', 'c'] }, 'Please fill in all required fields.'],
  ['a query object', { email: { $ne: null } }, 'Please fill in all required fields.'],
  ['an invalid address', { email: 'fan' }, 'Please enter a valid email address.'],
  ['two addresses', { email: 'a@fan.example,b@fan.example' }, 'Please enter a valid email address.'],
  ['an injected header', { email: 'a@fan.example\r\nBcc:x@y.example' }, 'Please enter a valid email address.'],
  ['a password of 7 characters', { password: 'sevench' }, 'A password needs at least 8 characters.'],
  [
    'a password of 129 characters',
    { password: 'long '.repeat(26).slice(0, 129) },
    'A password has at most 128 characters.',
  ],
  ['a NUL', { password: 'seven golden\u0000 lanterns' }, 'That password contains a character that is not allowed.'],
  ['a common password', { password: 'Password123!' }, 'That password is easily guessed. Please choose another.'],
  ['the artist’s name', { password: 'coral kingsley!' }, 'That password is easily guessed. Please choose another.'],
  ['another age notice', { ageWording: 'age-18' }, 'That age notice is out of date. Please reload the page.'],
  ['a phone of three digits', { phoneNumber: '123' }, 'Please enter a valid phone number.'],
  ['a phone with a letter', { phoneNumber: '+1813555012x' }, 'Please enter a valid phone number.'],
  ['a phone with an extension', { phoneNumber: '+18135550123;ext=5' }, 'Please enter a valid phone number.'],
  ['two phones', { phoneNumber: '8135550123 8135550124' }, 'Please enter a valid phone number.'],
])('rejects sign-up with %s', async (_, fields, message) => {
  const before = await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')
  expect(await errorOf(await signUp(fields))).toEqual([400, 'bad_input', message])
  expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(before)
})

test('rejects an unknown referral code', async () => {
  expect(await errorOf(await signUp({ referralCode: 'CORAL1XXX' }))).toEqual([
    400,
    'unknown_code',
    'We do not know that referral code. Please correct it or clear the field.',
  ])
})

test.each(['ADMIN', 'a.d-m_i.n', 'Support', 'coral_kingsley', 'CoralKingsleyOfficial'])(
  'rejects the reserved username %s',
  async (username) => {
    expect(await statusAndCodeOf(await signUp({ username }))).toEqual([409, 'name_taken'])
  },
)

test.each([
  ['Sam', 'SAM'],
  ['dotty', 'dotty.'],
  ['trailer', ' trailer  '],
])('%s and %s are the same username', async (first, second) => {
  expect((await signUp({ username: first })).status).toBe(201)
  expect(await statusAndCodeOf(await signUp({ username: second }))).toEqual([409, 'name_taken'])
})

test('email addresses are case-insensitive', async () => {
  expect((await signUp({ email: 'Case@Fan.example' })).status).toBe(201)
  for (const email of [' case@fan.EXAMPLE ', 'ｃase@fan.example'])
    expect(await statusAndCodeOf(await signUp({ email }))).toEqual([409, 'email_taken'])
})

test('stores only a hash and two digits of phone numbers', async () => {
  for (const [username, phoneNumber] of [
    ['phone-a', '(813) 555-0123'],
    ['phone-b', '+1 813 555 0123'],
    ['phone-c', '٨١٣٥٥٥٠١٢٣'],
  ])
    expect((await signUp({ username, phoneNumber })).status).toBe(201)
  const rows = await Promise.all(['phone-a', 'phone-b', 'phone-c'].map(readUser))
  expect(new Set(rows.map((row) => row?.phone_hash)).size).toBe(1)
  expect(rows.map((row) => row?.phone_last2)).toEqual(['23', '23', '23'])
  expect(JSON.stringify(rows)).not.toContain('5550123')
})

test('a referral code in any spelling awards 50 points', async () => {
  await signUp({ username: 'host-a' })
  const code = String((await readUser('host-a'))?.referral_code)
  await signUp({ username: 'guest-a', referralCode: ` ${code.toLowerCase().slice(0, 4)} ${code.slice(4)} ` })
  const guest = await readUser('guest-a')
  expect([guest?.points, await ledgerOf(guest?.id)]).toEqual([50, [{ action: 'referral_signup', points: 50 }]])
  expect((await readUser('host-a'))?.points).toBe(0)
})

test('accepts a referral code in full-width characters', async () => {
  await signUp({ username: 'host-w' })
  const code = String((await readUser('host-w'))?.referral_code)
  const fullWidthCode = [...code]
    .map((character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))
    .join('')
  expect(await (await signUp({ referralCode: fullWidthCode })).json()).toMatchObject({ points: 50 })
})

test('a logged-in user cannot refer a sign-up in their browser', async () => {
  const browser = newBrowser({ address: uniqueIp() })
  await browser.send('POST', '/api/auth/signup', form({ username: 'host-s' }))
  const code = (await readUser('host-s'))?.referral_code
  const again = await browser.send('POST', '/api/auth/signup', form({ username: 'host-s2', referralCode: code }))
  expect([again.status, await again.json()]).toMatchObject([201, { points: 0 }])
  expect((await readUser('host-s2'))?.referred_by).toBe(null)
})

test('a referrer banned during sign-up does not count', async () => {
  await signUp({ username: 'host-g' })
  const code = (await readUser('host-g'))?.referral_code
  const ban = () => env.DB.prepare("UPDATE users SET banned_at = 1 WHERE username = 'host-g'").run()
  const browser = newBrowser({ address: uniqueIp(), env: { DB: beforeBatch(env.DB, ban) } })
  const response = await browser.send('POST', '/api/auth/signup', form({ username: 'guest-g', referralCode: code }))
  expect([response.status, await response.json()]).toMatchObject([201, { points: 0 }])
  const guest = await readUser('guest-g')
  expect([guest?.referred_by, await ledgerOf(guest?.id)]).toEqual([null, []])
})

test.each([
  ['the same phone', { phoneNumber: '8135550177' }],
  ['an alias of the same mailbox', { email: 'host-b+friend@fan.example' }],
])('a new user with %s earns no referral bonus', async (_, fields) => {
  if (!(await readUser('host-b')))
    await signUp({ username: 'host-b', email: 'host-b@fan.example', phoneNumber: '(813) 555-0177' })
  const code = (await readUser('host-b'))?.referral_code
  const response = await signUp({ ...fields, referralCode: code })
  expect([response.status, await response.json()]).toMatchObject([201, { points: 0 }])
})

test('rejects the referral code of an erased user', async () => {
  await signUp({ username: 'leaver' })
  const code = (await readUser('leaver'))?.referral_code
  await env.DB.prepare("UPDATE users SET erased_at = 1 WHERE username = 'leaver'").run()
  expect(await statusAndCodeOf(await signUp({ referralCode: code }))).toEqual([400, 'unknown_code'])
})

test.each([
  "' OR 1=1--@fan.example",
  '"; drop table users;--',
  '<img src=x onerror=alert(1)>',
  '{{7*7}}',
  '\u0024{process.env}',
  '__proto__',
])('treats hostile text %s as plain text', async (text) => {
  for (const field of ['username', 'email', 'password', 'referralCode', 'phoneNumber'])
    expect([201, 400, 409]).toContain((await signUp({ [field]: text })).status)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBeGreaterThan(5)
  // Free text is stored as typed.
  const browser = newBrowser({ address: uniqueIp() })
  await browser.send('POST', '/api/auth/signup', form())
  await env.DB.prepare('UPDATE users SET email_verified_at = 1').run()
  const options = [{ title: text }, { title: 'That' }]
  const response = await browser.send('POST', '/api/polls', { title: text, options })
  const { id } = await response.json<{ id: string }>()
  const poll = env.DB.prepare(
    "SELECT title, (SELECT title FROM poll_options WHERE poll_id = polls.id AND title <> 'That') AS option FROM polls WHERE id = ?",
  )
  expect(await poll.bind(id).first()).toEqual({ title: text, option: text })
})

test('sign-up reports the created account when the session fails', async () => {
  const SESSIONS = withMethods(env.SESSIONS, { put: () => Promise.reject(new Error('429')) })
  const response = await newBrowser({ address: uniqueIp(), env: { SESSIONS } }).send(
    'POST',
    '/api/auth/signup',
    form({ username: 'half-in' }),
  )
  expect([response.headers.getSetCookie(), await errorOf(response)]).toEqual([
    [],
    [503, 'unavailable', 'Your account is ready, but we could not log you in. Please log in.'],
  ])
  expect(await readUser('half-in')).not.toBe(null)
})

test('every phone input is hashed or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ().;ext=-]{1,24}$/)), async (input) => {
      const result = await hashPhone('a-secret', input).catch((error) => error)
      if (result instanceof AppError) expect(result.code).toBe('bad_input')
      else
        expect(result).toEqual({ hash: expect.stringMatching(/^[\w-]{43}$/), last2: expect.stringMatching(/^\d\d$/) })
    }),
  )
})

test('rejects arbitrary JSON with 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const response = await newBrowser({ address: uniqueIp() }).send('POST', '/api/auth/signup', value)
      expect(response.status).toBe(400)
    }),
    { numRuns: 60 },
  )
})

test('limits confirmation emails per mailbox, not per account', async () => {
  const countEmails = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE recipient_key = 'bombed@fan.example'").first('n')) ??
    0
  const aliases = Array.from({ length: QUOTAS.strangerEmailsPerMailbox.max + 2 }, (_, n) => `bombed+${n}@fan.example`)
  for (const email of aliases) expect((await signUp({ email })).status).toBe(201)
  expect(await countEmails()).toBe(QUOTAS.strangerEmailsPerMailbox.max)
  await env.DB.prepare('UPDATE attempts SET expires_at = 0').run()
  await signUp({ email: 'bombed+tomorrow@fan.example' })
  expect(await countEmails()).toBe(QUOTAS.strangerEmailsPerMailbox.max + 1)
})
