import { expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { limits } from '../limits'
import { send, statusAndCodeOf } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { SELECT_REFERRALS } from './list-referrals'
import { awardStatement, reversalSql } from './points'

async function newReferrer() {
  const referrer = await addUser()
  const { headers, session } = await sessionFor(referrer, NOON)
  const listReferrals = async () =>
    (await send('GET', '/api/referrals', undefined, { headers, at: NOON })).json<unknown[]>()
  return { referrer, session, listReferrals }
}

test('shows referrals anonymously', async () => {
  const { referrer, session, listReferrals } = await newReferrer()
  expect(await listReferrals()).toEqual([])
  const addFriend = (row: { createdAt: number; emailVerifiedAt?: number }) =>
    addUser({ referredBy: referrer.id, email: `at${row.createdAt}@fan.example`, emailVerified: false, ...row })
  await addFriend({ createdAt: 1000 })
  for (const createdAt of [2000, 3000]) {
    const { id } = await addFriend({ createdAt, emailVerifiedAt: NOON })
    const bonus = { action: 'referral_bonus', subject: String(id), description: 'A friend joined', at: NOON } as const
    await awardStatement(db, { userId: referrer.id, ...bonus })
    // The bonus of the second friend is reversed.
    const reversal = reversalSql({ key: `'referral_bonus:${id}'`, description: "'Taken back'", at: '?4', when: 'true' })
    if (createdAt === 3000)
      await db.$client
        .prepare(reversal)
        .bind(...callerBinds(session), NOON)
        .run()
  }
  await addFriend({ createdAt: 4000, emailVerifiedAt: NOON })
  await addUser({ createdAt: 5000 })
  const at = (second: number) => `1970-01-01T00:00:0${second}.000Z`
  expect(await listReferrals()).toEqual([
    { joinedAt: at(4), state: 'unrewarded' },
    { joinedAt: at(3), state: 'unrewarded' },
    { joinedAt: at(2), state: 'rewarded' },
    { joinedAt: at(1), state: 'waiting' },
  ])
})

test('requires a session', async () => {
  expect(await statusAndCodeOf(await send('GET', '/api/referrals'))).toEqual([401, 'signed_out'])
})

test('lists the latest referrals with an index', async () => {
  const { referrer, listReferrals } = await newReferrer()
  for (let n = 0; n <= limits.maxReferralsShown; n++) await addUser({ referredBy: referrer.id, createdAt: n })
  expect((await listReferrals()).length).toBe(limits.maxReferralsShown)
  const plan = (await queryPlan({ sql: SELECT_REFERRALS, params: [...callerBinds(null)] })).join('\n')
  expect(plan).toContain('SEARCH referred USING INDEX users_by_referrer (referred_by=?)')
  expect(plan).not.toMatch(/SCAN (referred|users|ledger)|TEMP B-TREE/)
})
