import { expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { limits } from '../limits'
import { refusal, send } from '../testing/client'
import { NOON } from '../testing/furnish'
import { addUser, db, planOf, sessionFor } from '../testing/rows'
import { award, UNDONE } from './points'
import { REFERRALS } from './referrals'

async function newHost() {
  const host = await addUser()
  const { headers, claim } = await sessionFor(host, NOON)
  const asked = async () => (await send('GET', '/api/referrals', undefined, { headers, at: NOON })).json<unknown[]>()
  return { host, claim, asked }
}

test('a referrer sees what became of everybody who used the code, and not who they are', async () => {
  const { host, claim, asked } = await newHost()
  expect(await asked()).toEqual([])
  const friend = (row: { createdAt: number; emailVerifiedAt?: number }) =>
    addUser({ referredBy: host.id, email: `at${row.createdAt}@fan.example`, ...row })
  await friend({ createdAt: 1000 })
  for (const createdAt of [2000, 3000]) {
    const { id } = await friend({ createdAt, emailVerifiedAt: NOON })
    const bonus = { action: 'referral_bonus', subject: String(id), description: 'A friend joined', at: NOON } as const
    await award(db, { userId: host.id, ...bonus })
    const taken = UNDONE({ key: `'referral_bonus:${id}'`, description: "'Taken back'", at: '?4', when: 'true' })
    if (createdAt === 3000)
      await db.$client
        .prepare(taken)
        .bind(...callerBinds(claim), NOON)
        .run()
  }
  await friend({ createdAt: 4000, emailVerifiedAt: NOON })
  await addUser({ createdAt: 5000 })
  const at = (second: number) => `1970-01-01T00:00:0${second}.000Z`
  expect(await asked()).toEqual([
    { joinedAt: at(4), state: 'unrewarded' },
    { joinedAt: at(3), state: 'unrewarded' },
    { joinedAt: at(2), state: 'rewarded' },
    { joinedAt: at(1), state: 'waiting' },
  ])
})

test('a visitor has referred nobody', async () => {
  expect((await refusal(await send('GET', '/api/referrals'))).slice(0, 2)).toEqual([401, 'signed_out'])
})

test('the latest are shown, and found by index', async () => {
  const { host, asked } = await newHost()
  for (let n = 0; n <= limits.referralsShown; n++) await addUser({ referredBy: host.id, createdAt: n })
  expect((await asked()).length).toBe(limits.referralsShown)
  const plan = (await planOf({ sql: REFERRALS, params: [...callerBinds(null)] })).join('\n')
  expect(plan).toContain('SEARCH n USING INDEX users_by_referrer (referred_by=?)')
  expect(plan).not.toMatch(/SCAN (n|users|ledger)|TEMP B-TREE/)
})
