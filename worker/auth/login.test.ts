import { env } from 'cloudflare:test'
import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { MINUTE } from '../lib/clock'
import { newBrowser } from '../testing/browser'
import { refusal } from '../testing/client'
import { addPerson, freshAddress, loggedIn, PASSWORD } from '../testing/people'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const guess = (username: string, password: string, address = freshAddress(), at = NOW) =>
  newBrowser({ address, at }).send('POST', '/api/auth/login', { username, password })
const INVALID = [401, 'bad_credentials', 'Invalid credentials']

test('the name in any case and the address both log in', async () => {
  await addPerson('Ana', { email: 'Ana@fan.example' })
  for (const name of ['Ana', 'aNA', ' ana ', 'ana@FAN.example']) expect((await guess(name, PASSWORD)).status).toBe(200)
})

test('an unknown name and a wrong password are told apart by nothing', async () => {
  await addPerson('bo')
  expect(await refusal(await guess('bo', 'a wrong password'))).toEqual(INVALID)
  expect(await refusal(await guess('nobody-here', 'a wrong password'))).toEqual(INVALID)
  const took = { bo: [] as number[], 'nobody-here': [] as number[] }
  for (let round = 0; round < 7; round++)
    for (const name of ['bo', 'nobody-here'] as const) {
      const began = performance.now()
      await guess(name, 'a wrong password')
      took[name].push(performance.now() - began)
    }
  const [known, unknown] = [median(took.bo), median(took['nobody-here'])]
  expect(unknown / known).toBeGreaterThan(0.7)
  expect(unknown / known).toBeLessThan(1.4)
}, 20_000)

test('somebody without a password cannot log in with any', async () => {
  await addPerson('cy', { passwordHash: null })
  for (const password of ['x', 'A'.repeat(43), PASSWORD])
    expect(await refusal(await guess('cy', password))).toEqual(INVALID)
})

test('guesses from one address end before they are hashed, and the owner elsewhere still gets in', async () => {
  await addPerson('di')
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess('di', 'a wrong password', '192.0.2.9')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30)
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBeTruthy()
  expect((await guess('di', PASSWORD)).status).toBe(200)
}, 20_000)

test('an attack from many addresses ends as well, and locks the owner out of no known device', async () => {
  const { id } = await addPerson('ed')
  const own = await loggedIn('ed', { at: NOW })
  // 100 wrong guesses from everywhere: the rows that they would leave, without hashing a hundred times.
  await guess('ed', 'a wrong password')
  await env.DB.prepare('UPDATE attempts SET count = 100').run()
  expect((await guess('ed', PASSWORD, '192.0.2.77')).status).toBe(429)
  await env.DB.prepare('DELETE FROM attempts WHERE count < 100').run()
  expect((await own.send('POST', '/api/auth/login', { username: 'ed', password: PASSWORD })).status).toBe(200)
  expect((await guess('ed', PASSWORD, '192.0.2.78', NOW + 16 * MINUTE)).status).toBe(200)
  expect(id).toBeGreaterThan(0)
})

test('a known device that was forged counts as none', async () => {
  const { id } = await addPerson('flo')
  const forged = newBrowser({ address: '192.0.2.10', at: NOW })
  forged.cookies.set('__Host-device', `dev_x~${id}.${'A'.repeat(43)}`)
  for (let i = 0; i < 11; i++)
    await forged.send('POST', '/api/auth/login', { username: 'flo', password: 'a wrong password' })
  expect((await forged.send('POST', '/api/auth/login', { username: 'flo', password: PASSWORD })).status).toBe(429)
})

test('what was tried is stored under no name and no address', async () => {
  await guess('secret-name', 'a wrong password', '192.0.2.66')
  const { results } = await env.DB.prepare('SELECT key FROM attempts').all()
  expect(JSON.stringify(results)).not.toMatch(/secret-name|192\.0\.2/)
})

test('a limited caller costs no hash', async () => {
  await addPerson('gil')
  const took = async (address: string) => {
    const began = performance.now()
    const { status } = await guess('gil', 'a wrong password', address)
    return { status, millis: performance.now() - began }
  }
  const hashed = [await took('192.0.2.1'), await took('192.0.2.2'), await took('192.0.2.3')]
  await env.DB.prepare('UPDATE attempts SET count = 100').run()
  const limited = [await took('192.0.2.1'), await took('192.0.2.4'), await took('192.0.2.5')]
  expect([...hashed, ...limited].map(({ status }) => status)).toEqual([401, 401, 401, 429, 429, 429])
  const least = (tries: typeof hashed) => Math.min(...tries.map(({ millis }) => millis))
  expect(least(limited)).toBeLessThan(least(hashed) / 2)
  await env.DB.prepare('DELETE FROM attempts').run()
})

test('a limited caller is told so whether or not the password is right', async () => {
  await addPerson('gus')
  for (let i = 0; i < 11; i++) await guess('gus', 'a wrong password', '192.0.2.11')
  expect((await guess('gus', PASSWORD, '192.0.2.11')).status).toBe(429)
  expect((await guess('gus', PASSWORD, '192.0.2.11', NOW + 15 * MINUTE)).status).toBe(200)
})

test('where the limiter fails nobody logs in', async () => {
  const LIMIT_AUTH = { limit: () => Promise.reject(new Error('down')) }
  const answer = await newBrowser({ env: { LIMIT_AUTH } }).send('POST', '/api/auth/login', {
    username: 'x',
    password: 'y',
  })
  expect(answer.status).toBe(429)
})

test('a hash of another cost still opens, and is made anew', async () => {
  const salt = Buffer.alloc(16, 7)
  const weak = `scrypt$10$8$1$${salt.toString('base64url')}$${scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 }).toString('base64url')}`
  const { id } = await addPerson('hal', { passwordHash: weak })
  expect((await guess('hal', PASSWORD)).status).toBe(200)
  const hash = await env.DB.prepare('SELECT password_hash FROM users WHERE id = ?')
    .bind(id)
    .first<string>('password_hash')
  expect(hash).toMatch(/^scrypt\$14\$8\$5\$/)
  expect((await guess('hal', PASSWORD)).status).toBe(200)
})

test('the right password of a suspended account says so, the wrong one does not', async () => {
  await addPerson('ida', { bannedAt: 1 })
  expect((await refusal(await guess('ida', PASSWORD)))[1]).toBe('forbidden')
  expect(await refusal(await guess('ida', 'a wrong password'))).toEqual(INVALID)
})

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
