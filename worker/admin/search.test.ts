import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import type { SearchHit } from '../contract/admin-search'
import type { orders } from '../orders/orders.table'
import { send } from '../testing/client'
import { addTrack, addUser, db } from '../testing/fixtures'
import { ADDRESS, addOrder } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { searchRecords } from './search'

beforeEach(async () => {
  await seedSite(env.DB)
})

async function addOrderRow(id: string, values: Partial<typeof orders.$inferInsert>) {
  const { id: productId } = (await env.DB.prepare('SELECT id FROM products LIMIT 1').first<{ id: string }>())!
  await addOrder({ id, productId, status: 'paid', paidAt: NOON, ...values })
}

test('finds records by part of a name, masking emails', async () => {
  const supporter = await addUser({ username: 'marigold-rivers', email: 'marigold@mail.example' })
  await addTrack({ id: 1, title: 'Marigold Street' })
  await addOrderRow('o-1', { email: 'goldie@mail.example', userId: supporter.id })
  await addOrderRow('o-2', { email: 'marigold@mail.example', status: 'failed', paidAt: null })
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const hits = await (await send('GET', '/api/admin/search?q=ariGOLD', undefined, { at: NOON, headers })).json<
    SearchHit[]
  >()
  expect(hits.map(({ kind, title, detail }) => [kind, title, detail])).toEqual([
    ['supporter', 'marigold-rivers', 'm…@mail.example'],
    ['order', 'o-1', 'g…@mail.example'],
    ['track', 'Marigold Street', expect.any(String)],
  ])
  expect(hits[0]).toMatchObject({ tier: 'bronze', points: 0, href: `/admin/supporters/${supporter.id}` })
})

test('finds an order by its whole email only', async () => {
  const shippingAddress = { ...ADDRESS, name: 'Petunia Lake' }
  await addOrderRow('o-3', { email: 'petunia@mail.example', shippingAddress })
  const idsOf = async (q: string) => (await searchRecords(db, 'manager', q)).map(({ id }) => id)
  expect(await idsOf('petunia@mail')).toEqual([])
  expect(await idsOf('Petunia@mail.example')).toEqual(['o-3'])
  expect(await idsOf('petunia lake')).toEqual([])
})

test('limits search results to the screens of a role', async () => {
  await addUser({ username: 'lanterns' })
  await addTrack({ id: 2, title: 'Lanterns' })
  expect((await searchRecords(db, 'editor', 'lantern')).map(({ kind }) => kind)).toEqual(['track'])
  expect(await searchRecords(db, 'door', 'lantern')).toEqual([])
  expect(await searchRecords(db, 'owner', 'l')).toEqual([])
  expect(await searchRecords(db, 'owner', "%' OR 1=1 --")).toEqual([])
})
