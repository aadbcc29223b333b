import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { AGE_NOTICE, AGE_NOTICE_VERSION, MINIMUM_AGE_YEARS } from '../contract/retention'
import { errorOf, send } from '../testing/client'
import { NOON } from '../testing/seed'
import { uniqueIp } from '../testing/users'

const signUp = (username: string, more: object = {}) =>
  send(
    'POST',
    '/api/auth/signup',
    { username, email: `${username}@fan.example`, password: 'seven golden lanterns', ...more },
    { at: NOON, headers: { 'cf-connecting-ip': uniqueIp() } },
  )
const ageColumns = (username: string) =>
  env.DB.prepare('SELECT age_confirmed_at AS at, age_wording AS wording FROM users WHERE username = ?')
    .bind(username)
    .first()

test('stores the age notice version and time only when shown', async () => {
  expect((await signUp('ana', { ageWording: AGE_NOTICE_VERSION })).status).toBe(201)
  expect(await ageColumns('ana')).toEqual({ at: NOON, wording: AGE_NOTICE_VERSION })
  // The documented API has no such field and records no confirmation.
  expect((await signUp('bob')).status).toBe(201)
  expect(await ageColumns('bob')).toEqual({ at: null, wording: null })
  expect(await errorOf(await signUp('cyd', { ageWording: 'age-18' }))).toEqual([
    400,
    'bad_input',
    'We do not know those words about your age.',
  ])
})

test('the age notice and its version change together', () => {
  expect([AGE_NOTICE_VERSION, AGE_NOTICE, MINIMUM_AGE_YEARS]).toEqual([
    'age-13-2025-07-18',
    'By making an account here, with Google too, you confirm that you are 13 or older.',
    13,
  ])
})
