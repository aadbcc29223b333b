import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { attemptCount, consumeQuotas, QUOTAS, type Quota, quotaKey, releaseQuotas } from './quotas'

const secret = env.SIGNING_SECRET
const quota = (name: string, max: number): Quota => ({ name, max, windowMs: DAY_MS })

test('counts all uses or none', async () => {
  const [narrow, wide] = [quota('narrow', 1), quota('wide', 9)]
  const narrowUse = { quota: narrow, key: await quotaKey(secret, narrow, 'a') }
  const wideUse = { quota: wide, key: await quotaKey(secret, wide, 'a') }
  const counts = async () => [await attemptCount(db, narrowUse.key, NOON), await attemptCount(db, wideUse.key, NOON)]
  expect(await consumeQuotas({ db }, [narrowUse, wideUse], NOON)).toBe(true)
  expect(await consumeQuotas({ db }, [narrowUse, wideUse], NOON)).toBe(false)
  expect(await counts()).toEqual([1, 1])
  expect(await consumeQuotas({ db }, [{ ...wideUse, amount: 8 }], NOON)).toBe(true)
  expect(await consumeQuotas({ db }, [wideUse], NOON)).toBe(false)
  await releaseQuotas({ db }, [{ ...wideUse, amount: 3 }])
  expect(await counts()).toEqual([1, 6])
})

test('restarts after the window', async () => {
  const small = quota('small', 1)
  const use = { quota: small, key: await quotaKey(secret, small, 'b') }
  const consume = (at: number) => consumeQuotas({ db }, [use], at)
  expect([await consume(NOON), await consume(NOON + DAY_MS - 1), await consume(NOON + DAY_MS)]).toEqual([
    true,
    false,
    true,
  ])
})

test('never exceeds a quota under concurrency', async () => {
  const five = quota('five', 5)
  const use = { quota: five, key: await quotaKey(secret, five, 'c') }
  const results = await Promise.all(Array.from({ length: 30 }, () => consumeQuotas({ db }, [use], NOON)))
  expect(results.filter(Boolean)).toHaveLength(5)
})

test('names quotas once and hashes their keys', async () => {
  const all = Object.values(QUOTAS)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(all.filter(({ windowMs }) => windowMs > DAY_MS)).toEqual([])
  const key = await quotaKey(secret, QUOTAS.strangerEmailsPerMailbox, 'victim@mail.example')
  expect(key).toMatch(/^mail-stranger:[\w-]{43}$/)
})
