import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { submitVerse } from '../challenge/submit-verse'
import { addEmailAlert } from '../concerts/show-alerts'
import { DAY_MS } from '../lib/clock'
import { addChallenge, DAYS_JULY_2026, db, sendVerse, VERSE_FORM } from '../testing/fixtures'
import { DEMO_ENV } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { snapshotRows } from '../testing/stores'
import { addNamedUser, logInWithPassword, PASSWORD } from '../testing/users'
import { updateAccountSettings } from '../users/account'
import { eraseUser } from './erase-user'

beforeAll(async () => {
  await seedSite(env.DB)
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO users (id, username, username_key, created_at, last_active_at) VALUES (9000, 'author', 'author', 0, 0)",
    ),
    env.DB.prepare(
      "INSERT INTO polls (id, title, description, ends_at, created_by, created_at) VALUES ('p', 'Which?', '', ?1, 9000, 0)",
    ).bind(NOON + DAY_MS),
    env.DB.prepare("INSERT INTO poll_options (id, poll_id, title, position) VALUES ('a', 'p', 'This', 1)"),
  ])
  await addChallenge('july', DAYS_JULY_2026)
})

const ROUNDS = 4

test('requests concurrent with an erasure leave no personal data', async () => {
  const { results: products } = await env.DB.prepare('SELECT id, price_cents AS cents FROM products LIMIT 1').all<{
    id: string
    cents: number
  }>()
  for (let round = 0; round < ROUNDS; round++) {
    const name = `wren${round}`
    const email = `${name}@nest.example`
    const isConfirmed = round % 2 === 1
    const { id } = await addNamedUser(name, { email, emailVerifiedAt: isConfirmed ? NOON : null })
    const browser = await logInWithPassword(name, { at: NOON, env: DEMO_ENV })
    const requests = [
      ['POST', '/api/community/posts', { text: `Says ${name}.` }],
      ['POST', '/api/polls', { title: `Is ${name} right?`, options: [{ title: name }, { title: 'No' }] }],
      ['POST', '/api/polls/p/vote', { optionId: 'a' }],
      ['POST', '/api/tracks/1/like', undefined],
      ['PATCH', '/api/account', { username: `${name}again`, phoneNumber: '813-555-0123' }],
      ['POST', '/api/auth/password/forgot', { email }],
      ['POST', '/api/auth/email/resend', undefined],
      ['POST', '/api/auth/confirm/code', undefined],
      ['POST', '/api/auth/login', { username: name, password: PASSWORD }],
      // Only users with a confirmed address may send a city request.
      ...(isConfirmed ? [['POST', '/api/shows/city-requests', { entry: 'Tampa' }] as const] : []),
      [
        'POST',
        '/api/create-payment-intent',
        { amount: (products[0]?.cents ?? 0) / 100, productId: products[0]?.id, quantity: 1, email },
      ],
    ] as const
    // Each round starts the erasure four milliseconds later than the last, so that it meets different requests.
    const erasure = scheduler
      .wait(round * 4)
      .then(() => eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: id, byUserRequest: true }, NOON))
    const responses = await Promise.all(requests.map(([method, path, body]) => browser.send(method, path, body)))
    await erasure
    expect([round, responses.filter(({ status }) => status >= 500).map(({ status }) => status)]).toEqual([round, []])
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
    // The erasure receipt is deleted after it is sent, which does not happen here.
    await env.DB.prepare("DELETE FROM outbox WHERE kind = 'erased'").run()
    // An order whose payment is in progress keeps its addresses, but must be marked for later erasure.
    const unmarkedOrderCount = env.DB.prepare(
      'SELECT count(*) AS n FROM orders WHERE user_id = ? AND (email IS NOT NULL OR shipping_address IS NOT NULL) AND forget_wanted_at IS NULL',
    )
    expect([round, await unmarkedOrderCount.bind(id).first('n')]).toEqual([round, 0])
    await env.DB.prepare('UPDATE orders SET email = NULL').run()
    const remaining = Object.entries(await snapshotRows(env.DB)).filter(([, rows]) =>
      JSON.stringify(rows).includes(name),
    )
    expect([round, remaining.map(([table, rows]) => `${table}: ${JSON.stringify(rows).slice(0, 400)}`)]).toEqual([
      round,
      [],
    ])
    const phoneHash = await env.DB.prepare('SELECT phone_hash AS value FROM users WHERE id = ?').bind(id).first('value')
    expect(phoneHash).toBe(null)
  }
})

test('writes that began before an erasure store no personal data', async () => {
  const deps = { db, secret: env.SIGNING_SECRET, origin: 'https://fan.example' }
  const { id } = await addNamedUser('martin', { email: 'martin@nest.example' })
  const browser = await logInWithPassword('martin', { at: NOON })
  // The audio file is uploaded, its verse not yet submitted.
  const { recording } = await sendVerse(browser, 'none')
  await eraseUser(deps, { userId: id, byUserRequest: true }, NOON)
  await env.DB.prepare("DELETE FROM outbox WHERE kind = 'erased'").run()

  const draft = { ...VERSE_FORM, email: 'martin@nest.example', recording }
  await expect(
    submitVerse(deps, {
      challengeId: 'july',
      draft,
      entrant: { userId: id, emailVerified: true, mailboxKey: null },
      network: '192.0.2.0/24',
      at: NOON,
    }),
  ).rejects.toThrow('log in')
  await addEmailAlert(deps, {
    userId: id,
    network: '192.0.2.0/24',
    email: 'martin@nest.example',
    city: 'Tampa',
    at: NOON,
  })
  await updateAccountSettings(deps, id, { username: 'martin', phoneNumber: '813-555-0199' })
  expect(JSON.stringify(await snapshotRows(env.DB))).not.toMatch(/martin/i)
  expect(await env.DB.prepare('SELECT phone_last2 AS value FROM users WHERE id = ?').bind(id).first('value')).toBe(null)
})
