import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { eraseUser } from '../gdpr/erase-user'
import { newBrowser } from '../testing/client'
import { db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { addVerifiedUser, PASSWORD, uniqueIp } from '../testing/users'

beforeAll(() => seedSite(env.DB))

let count = 0
const signUp = (fields: Record<string, unknown>) => {
  const form = { username: `back${++count}`, email: `back${count}@fan.example`, password: PASSWORD, ...fields }
  return newBrowser({ address: uniqueIp() }).send('POST', '/api/auth/signup', form)
}

test('pays no second referral to a returning mailbox or phone', async () => {
  const referralCode = 'FAN7HOST'
  await addVerifiedUser('host-c', { referralCode })
  const response = await signUp({ email: 'circle@fan.example', phoneNumber: '813-555-0144', referralCode })
  const erasedUser = await response.json<{ id: number; points: number }>()
  expect(erasedUser.points).toBe(50)
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: erasedUser.id, byUserRequest: true }, Date.now())
  for (const fields of [{ email: 'Circle+2@fan.example' }, { phoneNumber: '8135550144' }]) {
    const answer = await signUp({ ...fields, referralCode })
    expect([answer.status, await answer.json()]).toMatchObject([201, { points: 0 }])
  }
})
