import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticators } from '../auth/auth.table'
import { readCheckInCode } from '../check-in/check-in-code'
import type { Env } from '../env'
import type { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { limitTaxCalculations } from '../orders/order-tax'
import type { TaxRequest } from '../payments/provider'
import { type Browser, newBrowser } from '../testing/client'
import { buildMp3 } from '../testing/files'
import { addChallenge, addTrack, DAYS_JULY_2026, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { reportStream } from '../tracks/streams'
import { QUOTAS } from './quotas'

const unlimited = { limit: async () => ({ success: true }) }
const NO_RATE_LIMITS = { LIMIT_MAIL: unlimited, LIMIT_AUTH: unlimited, LIMIT_WRITES: unlimited }
const SHOW = '/api/concerts/show-1'
const QUARTER_HOUR_MS = 15 * MINUTE_MS

const visitorBrowser = (at: Millis, address = uniqueIp(), changes: Partial<Env> = {}) =>
  newBrowser({ address, at, env: { ...NO_RATE_LIMITS, ...changes } })
/** A browser whose session has just authenticated. */
const loggedInBrowser = (username: string, at: Millis, as: 'supporter' | 'administrator' = 'supporter') =>
  browserWithSession(username, { at, as, env: NO_RATE_LIMITS })

let userCount = 0
const signUp = (browser: Browser, email?: string) => {
  const username = `newcomer${++userCount}`
  return browser.send('POST', '/api/auth/signup', {
    username,
    email: email ?? `${username}@mail.example`,
    password: PASSWORD,
  })
}
/** The default quota of sign-ups, which the test environment raises. */
const defaultSignupQuota = { SIGNUPS_PER_NETWORK_PER_DAY: undefined } as unknown as Partial<Env>
const subscribe = (browser: Browser, email: string) => browser.send('POST', '/api/newsletter/subscribe', { email })
const requestResetLink = (browser: Browser, email: string) =>
  browser.send('POST', '/api/auth/password/forgot', { email })
const inquire = (browser: Browser, email: string) =>
  browser.send('POST', '/api/privacy/inquiries', { email, kind: 'access', message: 'What do you store?' })
const guessPassword = (browser: Browser, username: string) =>
  browser.send('POST', '/api/auth/login', { username, password: 'a wrong password' })
const sendRecording = (browser: Browser) =>
  browser.send('POST', '/api/challenge/recordings', undefined, {
    headers: { 'content-type': 'audio/mpeg' },
    raw: buildMp3(500),
  })
const checkInCode = async (at: Millis) => (await readCheckInCode({ db, secret: env.SIGNING_SECRET }, 'show-1', at)).code
const guessCheckInCode = (browser: Browser) => browser.send('POST', `${SHOW}/check-in`, { code: '000000' })

const calculateTax = (limit: Parameters<typeof limitTaxCalculations>[2]) =>
  limitTaxCalculations(
    async () => noTaxCalculation,
    { db, secret: env.SIGNING_SECRET },
    limit,
  )(null)({} as TaxRequest).then(
    () => ({ isCounted: true }),
    ({ message, retryAfterSeconds }: AppError) =>
      new Response(message, { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } }),
  )

/** Reports a listen that is long enough to count. The listener is `n…` without a device cookie, `v…` with one. */
async function play(listener: string, at: Millis) {
  const listen = { trackId: 1, startedAt: at - MINUTE_MS, listener, isSpent: false }
  const counted: unknown[] = []
  const report = { trackId: 1, userId: null, listen, network: '203.0.113.0/24', at }
  await reportStream({ db, secret: env.SIGNING_SECRET }, report, async (job) => counted.push(job))
  return { isCounted: counted.length === 1 }
}

const countEmails = async () => (await env.DB.prepare('SELECT count(*) AS n FROM outbox').first<number>('n')) ?? 0
/** Sends a form and detects by the outbox whether it caused an email, which the response does not reveal. */
async function emailOutcome(sendForm: () => Promise<Response>) {
  const before = await countEmails()
  const { status } = await sendForm()
  if (status >= 400) throw new Error(`The form answered ${status}.`)
  return { isCounted: (await countEmails()) === before + 1 }
}

type QuotaCase = {
  max: number
  windowMs: Millis
  /** Makes use number `n` of the quota, without exceeding a narrower quota. */
  use: (n: number, at: Millis) => Promise<Response | { isCounted: boolean }>
  prepare?: () => Promise<unknown>
  /** Error message beyond the quota; without one, further uses are dropped silently. */
  message?: string
  /** Seconds of Retry-After, by default the window. */
  retryAfterSeconds?: number
}

const TOO_MANY_LOGINS = 'Too many attempts. Please wait a few minutes, or reset your password by email.'
const TOO_MANY_TRIES = 'Too many tries. Please wait a few minutes.'
const TOO_MANY_ACCOUNTS =
  'Too many accounts were created from this network today. Please try again tomorrow, or from another network.'
const TOO_MANY_INQUIRIES = 'That address has asked us several times today. We answer every one of them.'

const noTaxCalculation = { calculationId: '', lineTaxCents: [], shippingTaxCents: 0, name: '', ratePer100k: null }

const knownDevices: Browser[] = []

const QUOTA_CASES: Record<keyof typeof QUOTAS, QuotaCase> = {
  strangerEmailsPerMailbox: {
    max: 6,
    windowMs: DAY_MS,
    use: (n, at) => emailOutcome(() => subscribe(visitorBrowser(at), `victim+${n}@mail.example`)),
  },
  strangerEmailsPerNetwork: {
    max: 200,
    windowMs: DAY_MS,
    use: (n, at) =>
      emailOutcome(() => subscribe(visitorBrowser(at, `2001:db8:9:${n}::1`), `invented${n}@mail.example`)),
  },
  strangerEmailsInTotal: {
    max: 5_000,
    windowMs: DAY_MS,
    use: (n, at) => emailOutcome(() => subscribe(visitorBrowser(at), `another${n}@mail.example`)),
  },
  ownEmailsPerAddress: {
    max: 6,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('coder', { passwordHash: null }),
    use: async (_, at) => (await loggedInBrowser('coder', at)).send('POST', '/api/auth/confirm/code'),
    message: 'We have sent you enough emails for today. Please use the newest code, or try again tomorrow.',
  },
  unconfirmedAliasEmailsPerMailbox: {
    max: 6,
    windowMs: DAY_MS,
    use: async (n, at) => {
      await addNamedUser(`alias${n}`, { email: `many+${n}@mail.example`, emailVerifiedAt: null })
      const browser = await loggedInBrowser(`alias${n}`, at)
      return emailOutcome(() => browser.send('POST', '/api/auth/email/resend'))
    },
  },
  emailChangesPerAccount: {
    max: 5,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('mover'),
    use: async (n, at) => {
      const body = { email: `mover${n}@new.example` }
      return (await loggedInBrowser('mover', at)).send('POST', '/api/account/email', body)
    },
    message: 'We cannot email another link today. If you already have one, please use the newest.',
  },
  resetLinksPerMailbox: {
    max: 3,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('resetter'),
    use: (_, at) => emailOutcome(() => requestResetLink(visitorBrowser(at), 'resetter@fan.example')),
  },
  resetLinksFromKnownDevices: {
    max: 3,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('forgetful'),
    use: async (_, at) => {
      const browser = await logInWithPassword('forgetful', { at, env: NO_RATE_LIMITS })
      return emailOutcome(() => requestResetLink(browser, 'forgetful@fan.example'))
    },
  },
  inquiriesPerAddressAndNetwork: {
    max: 5,
    windowMs: DAY_MS,
    use: (n, at) => inquire(visitorBrowser(at, `203.0.113.${n}`), 'asked@fan.example'),
    message: TOO_MANY_INQUIRIES,
  },
  inquiriesPerAccount: {
    max: 5,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('asker'),
    use: async (_, at) => inquire(await loggedInBrowser('asker', at), 'asker@fan.example'),
    message: TOO_MANY_INQUIRIES,
  },
  loginsPerNetwork: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    prepare: () => addNamedUser('guessed'),
    use: (_, at) => guessPassword(visitorBrowser(at, '203.0.113.5'), 'guessed'),
    message: TOO_MANY_LOGINS,
  },
  loginsFromNetworks: {
    max: 100,
    windowMs: QUARTER_HOUR_MS,
    prepare: () => addNamedUser('besieged'),
    use: (_, at) => guessPassword(visitorBrowser(at), 'besieged'),
    message: TOO_MANY_LOGINS,
  },
  loginsFromKnownDevices: {
    max: 100,
    windowMs: QUARTER_HOUR_MS,
    prepare: async () => {
      await addNamedUser('known')
      for (let n = 0; n < 5; n++) knownDevices.push(await logInWithPassword('known', { at: NOON, env: NO_RATE_LIMITS }))
    },
    use: (n, at) =>
      knownDevices[n]!.send('POST', '/api/auth/login', { username: 'known', password: 'a wrong password' }, { at }),
    message: TOO_MANY_LOGINS,
  },
  reauthenticationsPerAccount: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    prepare: () => addNamedUser('prover'),
    use: async (_, at) =>
      (await loggedInBrowser('prover', at)).send('POST', '/api/auth/confirm', { password: 'a wrong password' }),
    message: TOO_MANY_TRIES,
  },
  secondFactorCodesPerAccount: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    prepare: async () => {
      const { id: userId } = await addNamedUser('secured', { role: 'administrator' })
      await db.insert(authenticators).values({ userId, encryptedSecret: 'any', confirmedAt: NOON })
    },
    use: async (_, at) =>
      (await loggedInBrowser('secured', at, 'administrator')).send('POST', '/api/admin/second-factor/end', {
        code: '000000',
      }),
    message: TOO_MANY_TRIES,
  },
  signupsPerNetwork: {
    max: 20,
    windowMs: DAY_MS,
    use: (n, at) => signUp(visitorBrowser(at, `203.0.113.${n}`, defaultSignupQuota)),
    message: TOO_MANY_ACCOUNTS,
  },
  signupsPerPrefix48: {
    max: 100,
    windowMs: DAY_MS,
    use: (n, at) => signUp(visitorBrowser(at, `2001:db8:48:${n}::1`, defaultSignupQuota)),
    message: TOO_MANY_ACCOUNTS,
  },
  playsWithoutDevice: { max: 5, windowMs: DAY_MS, use: (n, at) => play(`n${n}`, at) },
  playsWithDevice: { max: 200, windowMs: DAY_MS, use: (n, at) => play(`v${n}`, at) },
  verseUploadsPerAccount: {
    max: 10,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('singer'),
    use: async (_, at) => sendRecording(await loggedInBrowser('singer', at)),
    message: 'You have sent as many recordings as you can today. Please come back tomorrow.',
  },
  verseUploadsPerAddress: {
    max: 60,
    windowMs: DAY_MS,
    use: (n, at) => sendRecording(visitorBrowser(at, `2001:db8:9:${n}::1`)),
    message:
      'Too many recordings were sent from this network today. Log in or sign up to send yours now, or come back tomorrow.',
  },
  taxCalculationsPerBuyer: {
    max: 30,
    windowMs: QUARTER_HOUR_MS,
    use: (n, at) => calculateTax({ buyer: 'user 1', network: `203.0.${n}.0/24`, at }),
    message: 'You have changed your orders very often. Please wait a quarter of an hour.',
  },
  taxCalculationsPerNetwork: {
    max: 600,
    windowMs: HOUR_MS,
    use: (n, at) => calculateTax({ buyer: `device ${n}`, network: '203.0.113.0/24', at }),
    message: 'Many orders are being placed from your network. Please try again in an hour, or from another network.',
  },
  csvLinksPerAccount: {
    max: 5,
    windowMs: HOUR_MS,
    prepare: () => addNamedUser('publisher', { role: 'administrator' }),
    use: async (n, at) =>
      (await loggedInBrowser('publisher', at, 'administrator')).send('POST', '/api/email/golden-verse-csv', {
        email: `press${n}@mail.example`,
      }),
    message: 'You have sent several links just now. Please wait an hour.',
  },
  importsPerAccount: {
    max: 50,
    windowMs: DAY_MS,
    prepare: () => addNamedUser('importer', { role: 'administrator' }),
    use: async (_, at) =>
      (await loggedInBrowser('importer', at, 'administrator')).send('POST', '/api/admin/imports', undefined, {
        raw: 'Email,Patron Status\na@fan.example,Active patron\n',
        headers: { 'content-type': 'text/csv' },
      }),
    message: 'You have uploaded many files today. Please continue tomorrow.',
  },
  checkInCodesPerAccount: {
    max: 10,
    windowMs: QUARTER_HOUR_MS,
    prepare: () => addNamedUser('arriving'),
    use: async (_, at) => guessCheckInCode(await loggedInBrowser('arriving', at)),
    message: 'Too many wrong codes. Please wait a few minutes.',
  },
  checkInSignupsPerCode: {
    max: 300,
    windowMs: HOUR_MS,
    // Uses up the network's own quota of sign-ups, so only the code's quota is left.
    prepare: () => signUp(visitorBrowser(NOON, '203.0.113.9', { SIGNUPS_PER_NETWORK_PER_DAY: '1' })),
    use: async (_, at) => {
      const browser = visitorBrowser(at, '203.0.113.9', { SIGNUPS_PER_NETWORK_PER_DAY: '1' })
      // All uses in the first hour scan the same code, because the quota is per code.
      const scannedAt = at < NOON + HOUR_MS ? NOON : at
      await browser.send('POST', `${SHOW}/arrivals`, { code: await checkInCode(scannedAt) }, { at: scannedAt })
      return signUp(browser)
    },
    message: TOO_MANY_ACCOUNTS,
    retryAfterSeconds: DAY_MS / 1000,
  },
  checkInGuessesByVisitors: {
    max: 30,
    windowMs: HOUR_MS,
    use: (n, at) => visitorBrowser(at, `2001:db8:9:${n}::1`).send('POST', `${SHOW}/arrivals`, { code: '000000' }),
    message: 'Too many wrong codes from this network. Please log in or sign up, then enter the code shown at the door.',
  },
  checkInGuessesByAccounts: {
    max: 300,
    windowMs: HOUR_MS,
    use: async (n, at) => {
      await addNamedUser(`load-user${n}`)
      return (await loggedInBrowser(`load-user${n}`, at)).send(
        'POST',
        `${SHOW}/check-in`,
        { code: '000000' },
        { headers: { 'cf-connecting-ip': `2001:db8:9:${n}::1` } },
      )
    },
    message: 'Too many wrong codes from this network. Please try your mobile network.',
  },
}

beforeAll(async () => {
  await seedSite(env.DB, { show: { startsAt: NOON + HOUR_MS, endsAt: NOON + 3 * HOUR_MS } })
  await addTrack({ id: 1, durationSeconds: 40 })
  await addChallenge('july', DAYS_JULY_2026)
})

beforeEach(() => env.DB.prepare('DELETE FROM attempts').run())

/** Result of a use: counted, dropped silently, or rejected with a message. */
async function outcomeOf(use: ReturnType<QuotaCase['use']>) {
  const result = await use
  if ('isCounted' in result) return result.isCounted ? 'counted' : 'dropped'
  const text = await result.text()
  return result.status === 429 ? [text, result.headers.get('retry-after')] : 'counted'
}

describe.each(Object.entries(QUOTA_CASES))('%s', (name, testCase) => {
  const { max, windowMs, use, prepare, message, retryAfterSeconds } = testCase
  test(`allows ${max} uses per window`, async () => {
    const quota = QUOTAS[name as keyof typeof QUOTAS]
    await prepare?.()
    const limited = message === undefined ? 'dropped' : [message, String(retryAfterSeconds ?? windowMs / 1000)]
    const outcomes = [await outcomeOf(use(0, NOON))]
    await env.DB.prepare('UPDATE attempts SET count = ?1 WHERE key GLOB ?2')
      .bind(max - 1, `${quota.name}:*`)
      .run()
    for (const [n, at] of [NOON, NOON, NOON + windowMs - 1, NOON + windowMs].entries())
      outcomes.push(await outcomeOf(use(n + 1, at)))
    expect(outcomes).toEqual(['counted', 'counted', limited, limited, 'counted'])
  })
})

test('covers every quota', () => {
  expect(Object.keys(QUOTA_CASES)).toEqual(Object.keys(QUOTAS))
})
