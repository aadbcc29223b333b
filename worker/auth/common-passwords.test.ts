import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { errorOf, newBrowser } from '../testing/client'
import { seedSite } from '../testing/seed'
import { uniqueIp } from '../testing/users'

beforeAll(() => seedSite(env.DB, { site: { name: 'Coral Kingsley' } }))

let count = 0
const send = (path: string, json: object) => newBrowser({ address: uniqueIp() }).send('POST', path, json)
const signUp = (fields: { username?: string; password: string }) => {
  const username = fields.username ?? `chooser${++count}`
  return send('/api/auth/signup', { username, email: `${username}.${++count}@fan.example`, ...fields })
}

test.each([
  'password',
  'Password123!',
  'p@ssw0rd',
  'iloveyou1',
  'qwertyuiop',
  '12345678',
  '87654321',
  'aaaaaaaa',
  'abcabcabc',
  'Dragon2024',
  'CoralKingsley1',
  'coral kingsley!',
  'commonfan1',
  '12345678a',
  '1234qwer',
  'aa123456',
  'zaq12wsx',
  '1a2b3c4d',
  '147258369',
  '11223344',
  'abc12345',
  '12qwaszx',
  '!qaz2wsx3',
])('rejects the common password %s', async (password) => {
  expect(await errorOf(await signUp({ username: 'commonfan', password }))).toEqual([
    400,
    'bad_input',
    'That password is easily guessed. Please choose another.',
  ])
})

test.each([
  '12345678 nine boats',
  'éclair à la plage',
  '🎷🎺🥁🎸🎻🎹🪕🪘',
  ' spaces at the ends ',
  `${'x'.repeat(120)}y z w q`,
])('accepts the password %s unchanged', async (password) => {
  const fields = { username: `chooser${++count}`, password }
  expect((await signUp(fields)).status).toBe(201)
  const login = (given: string) =>
    send('/api/auth/login', {
      username: fields.username,
      password: given,
    })
  expect((await login(password)).status).toBe(200)
  expect((await login(password.slice(0, -1))).status).toBe(401)
  if (password.length > 72) expect((await login(password.slice(0, 72))).status).toBe(401)
})
