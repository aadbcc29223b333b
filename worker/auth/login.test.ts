import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../lib/clock'
import { errorOf, newBrowser } from '../testing/client'
import { restorePasswordCost } from '../testing/password-cost'
import { NOON } from '../testing/seed'
import { addNamedUser, CHEAP_HASH, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { hashPassword } from './password'

const attemptLogin = (username: string, password: string, address = uniqueIp(), at = NOON) =>
  newBrowser({ address, at }).send('POST', '/api/auth/login', { username, password })
const INVALID = [401, 'bad_credentials', 'Invalid credentials']

test('logs in by username in any case and by email', async () => {
  await addNamedUser('Ana', { email: 'Ana@fan.example' })
  for (const name of ['Ana', 'aNA', ' ana ', 'ana@FAN.example'])
    expect((await attemptLogin(name, PASSWORD)).status).toBe(200)
})

test('unknown names and wrong passwords get the same response', async () => {
  await addNamedUser('bo', { passwordHash: await hashPassword(PASSWORD) })
  expect(await errorOf(await attemptLogin('bo', 'a wrong password'))).toEqual(INVALID)
  expect(await errorOf(await attemptLogin('nobody-here', 'a wrong password'))).toEqual(INVALID)
})

test('unknown names take as long as wrong passwords', async () => {
  // A hash takes many times as long as the rest of the request.
  restorePasswordCost({ logN: 12 })
  await addNamedUser('cleo', { passwordHash: await hashPassword(PASSWORD) })
  const durations = { cleo: [] as number[], 'nobody-here': [] as number[] }
  // Interleaved, so that other load on the machine affects both equally.
  for (let round = 0; round < 30; round++)
    for (const name of round % 2 ? (['cleo', 'nobody-here'] as const) : (['nobody-here', 'cleo'] as const)) {
      const startedAt = performance.now()
      await attemptLogin(name, 'a wrong password')
      durations[name].push(performance.now() - startedAt)
    }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length / 2]!
  const ratio = median(durations['nobody-here']) / median(durations.cleo)
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.2)
})

test('an account without a password cannot log in with one', async () => {
  await addNamedUser('cy', { passwordHash: null })
  for (const password of ['x', 'A'.repeat(43), PASSWORD])
    expect(await errorOf(await attemptLogin('cy', password))).toEqual(INVALID)
})

/** 200 wrong guesses for one account from rotating addresses. */
const guessFromAddresses = (username: string, addresses: string[]) =>
  Promise.all(
    Array.from({ length: 200 }, (_, i) => attemptLogin(username, 'a wrong password', addresses[i % addresses.length])),
  )
const countStatus = (responses: Response[], status: number) =>
  responses.filter((response) => response.status === status).length

test('limits guesses per address; the owner logs in from another', async () => {
  await addNamedUser('di')
  const responses = await guessFromAddresses('di', ['192.0.2.9'])
  expect([countStatus(responses, 401), countStatus(responses, 429)]).toEqual([10, 190])
  expect(responses.find(({ status }) => status === 429)?.headers.get('retry-after')).toBeTruthy()
  expect((await attemptLogin('di', PASSWORD)).status).toBe(200)
})

test('limits guesses across addresses; known devices still log in', async () => {
  await addNamedUser('ed')
  const ownerBrowser = await logInWithPassword('ed', { at: NOON })
  const responses = await guessFromAddresses('ed', Array.from({ length: 40 }, uniqueIp))
  // The owner's login from a new device was the first of the hundred attempts.
  expect([countStatus(responses, 401), countStatus(responses, 429)]).toEqual([99, 101])
  expect((await attemptLogin('ed', PASSWORD, '192.0.2.77')).status).toBe(429)
  expect((await ownerBrowser.send('POST', '/api/auth/login', { username: 'ed', password: PASSWORD })).status).toBe(200)
  expect((await attemptLogin('ed', PASSWORD, '192.0.2.78', NOON + 16 * MINUTE_MS)).status).toBe(200)
})

test('limits guesses across the known devices of an account', async () => {
  await addNamedUser('minted')
  const devices = []
  for (let n = 0; n < 11; n++) devices.push(await logInWithPassword('minted', { at: NOON }))
  const wrong = { username: 'minted', password: 'a wrong password' }
  const responses = await Promise.all(
    devices.flatMap((device) => Array.from({ length: 10 }, () => device.send('POST', '/api/auth/login', wrong))),
  )
  expect([countStatus(responses, 401), countStatus(responses, 429)]).toEqual([100, 10])
  expect((await attemptLogin('minted', PASSWORD)).status).toBe(200)
})

test('a forged known-device cookie is ignored', async () => {
  const { id } = await addNamedUser('flo')
  const forged = newBrowser({ address: '192.0.2.10', at: NOON })
  forged.cookies.set('__Host-device', `dev_x~${id}.${'A'.repeat(43)}`)
  for (let i = 0; i < 11; i++)
    await forged.send('POST', '/api/auth/login', { username: 'flo', password: 'a wrong password' })
  expect((await forged.send('POST', '/api/auth/login', { username: 'flo', password: PASSWORD })).status).toBe(429)
})

test('attempt keys contain neither names nor network addresses', async () => {
  await attemptLogin('secret-name', 'a wrong password', '192.0.2.66')
  const { results } = await env.DB.prepare('SELECT key FROM attempts').all()
  expect(JSON.stringify(results)).not.toMatch(/secret-name|192\.0\.2/)
})

test('a rate-limited login computes no hash', async () => {
  restorePasswordCost()
  await addNamedUser('gil', { passwordHash: await hashPassword(PASSWORD) })
  const timedGuess = async (address: string) => {
    const startedAt = performance.now()
    const { status } = await attemptLogin('gil', 'a wrong password', address)
    return { status, millis: performance.now() - startedAt }
  }
  const hashed = [await timedGuess('192.0.2.1'), await timedGuess('192.0.2.2'), await timedGuess('192.0.2.3')]
  await env.DB.prepare('UPDATE attempts SET count = 100').run()
  const limited = [await timedGuess('192.0.2.1'), await timedGuess('192.0.2.4'), await timedGuess('192.0.2.5')]
  expect([...hashed, ...limited].map(({ status }) => status)).toEqual([401, 401, 401, 429, 429, 429])
  const fastest = (attempts: typeof hashed) => Math.min(...attempts.map(({ millis }) => millis))
  expect(fastest(limited)).toBeLessThan(fastest(hashed) / 2)
  await env.DB.prepare('DELETE FROM attempts').run()
})

test('a rate-limited login does not reveal a correct password', async () => {
  await addNamedUser('gus')
  for (let i = 0; i < 11; i++) await attemptLogin('gus', 'a wrong password', '192.0.2.11')
  expect((await attemptLogin('gus', PASSWORD, '192.0.2.11')).status).toBe(429)
  expect((await attemptLogin('gus', PASSWORD, '192.0.2.11', NOON + 15 * MINUTE_MS)).status).toBe(200)
})

test('accepts a hash of another cost and replaces it', async () => {
  restorePasswordCost()
  await addNamedUser('hal', { passwordHash: CHEAP_HASH })
  expect((await attemptLogin('hal', PASSWORD)).status).toBe(200)
  const hash = await env.DB.prepare("SELECT password_hash FROM users WHERE username = 'hal'").first('password_hash')
  expect(hash).toMatch(/^scrypt\$14\$8\$5\$/)
  expect((await attemptLogin('hal', PASSWORD)).status).toBe(200)
})

test('only the correct password reveals that an account is banned', async () => {
  await addNamedUser('ida', { bannedAt: 1 })
  expect((await errorOf(await attemptLogin('ida', PASSWORD)))[1]).toBe('forbidden')
  expect(await errorOf(await attemptLogin('ida', 'a wrong password'))).toEqual(INVALID)
})
