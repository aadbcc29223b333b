import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { consumeQuotas, QUOTAS, type Quota, type QuotaUse, quotaUse, releaseQuotas } from './quotas'

const secret = env.SIGNING_SECRET
const quota = (name: string, max: number): Quota => ({ name, max, windowMs: DAY_MS })

test('counts all uses or none', async () => {
  const [narrow, wide] = [quota('narrow', 1), quota('wide', 9)]
  const narrowUse = await quotaUse(secret, narrow, 'a')
  const wideUse = await quotaUse(secret, wide, 'a')
  const count = ({ key }: QuotaUse) =>
    env.DB.prepare('SELECT count FROM attempts WHERE key = ?').bind(key).first<number>('count')
  const counts = async () => [await count(narrowUse), await count(wideUse)]
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
  const use = await quotaUse(secret, small, 'b')
  const consume = (at: number) => consumeQuotas({ db }, [use], at)
  expect([await consume(NOON), await consume(NOON + DAY_MS - 1), await consume(NOON + DAY_MS)]).toEqual([
    true,
    false,
    true,
  ])
})

test('never exceeds a quota under concurrency', async () => {
  const five = quota('five', 5)
  const use = await quotaUse(secret, five, 'c')
  const results = await Promise.all(Array.from({ length: 30 }, () => consumeQuotas({ db }, [use], NOON)))
  expect(results.filter(Boolean)).toHaveLength(5)
})

test('names each quota and hashes its keys', async () => {
  const all = Object.values(QUOTAS)
  const names = all.map(({ name }) => name)
  // Quotas that share a name differ in the other parts of their keys.
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual(['login', 'login', 'verse'])
  expect(all.filter(({ windowMs }) => windowMs > DAY_MS)).toEqual([])
  const { key } = await quotaUse(secret, QUOTAS.strangerEmailsPerMailbox, 'victim@mail.example')
  expect(key).toMatch(/^mail-stranger:[\w-]{43}$/)
})
