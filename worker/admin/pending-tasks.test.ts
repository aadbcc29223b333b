import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { concerts } from '../concerts/concerts.table'
import type { PendingTask } from '../contract/pending-tasks'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import type { orders } from '../orders/orders.table'
import { send } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { addOrder } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { listPendingTasks } from './pending-tasks'

beforeEach(async () => {
  await seedSite(env.DB)
})

const tasksOf = async (screen: string) =>
  (await listPendingTasks(db, 'owner', NOON)).filter((task) => task.screen === screen)

const addPaidOrder = async (id: string, values: Partial<typeof orders.$inferInsert>, kind = 'shipped') => {
  await addOrder({ id, productId: 'clip', status: 'paid', paidAt: NOON, ...values })
  await env.DB.prepare('UPDATE order_lines SET kind = ?2 WHERE order_id = ?1').bind(id, kind).run()
}

test('counts orders to pack apart from packed ones', async () => {
  await addPaidOrder('old', { paidAt: NOON - 3 * DAY_MS })
  await addPaidOrder('new', {})
  await addPaidOrder('unpaid', { status: 'pending', paidAt: null })
  await addPaidOrder('sent', { fulfilment: 'shipped' })
  await addPaidOrder('packed', { fulfilment: 'packed' })
  await addPaidOrder('download', {}, 'digital')
  await addPaidOrder('returned', { refundRequestedAt: NOON })
  const tasks = (await tasksOf('orders')).filter(({ id }) => id === 'orders.pack' || id === 'orders.ship')
  expect(tasks.map(({ count, text, isUrgent }) => [count, text, isUrgent])).toEqual([
    [2, '2 paid orders to pack, the oldest paid 3 days ago.', true],
    [1, 'One packed order to mark as shipped.', false],
  ])
})

test('lists a refund that the provider rejected', async () => {
  await addPaidOrder('stuck', { refundRequestedAt: NOON, refundRejectedAt: NOON })
  expect((await tasksOf('orders')).find(({ id }) => id === 'orders.refunds')).toMatchObject({
    count: 1,
    isUrgent: true,
  })
})

test('lists open inquiries, and emails that failed or are unknown', async () => {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at) VALUES
       ('late', 'access', 'a', 'a', '', 0, ${NOON - 1}), ('soon', 'access', 'b', 'b', '', 0, ${NOON + DAY_MS})`,
    ),
    env.DB.prepare(
      `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at) VALUES
       ('1', '1', 'x', 'a', '', '', '', 'failed', 0), ('2', '2', 'x', 'a', '', '', '', 'unknown', 0),
       ('3', '3', 'x', 'a', '', '', '', 'sent', 0)`,
    ),
  ])
  expect(await tasksOf('privacy')).toEqual([
    expect.objectContaining({
      count: 2,
      text: '2 inquiries to answer, 1 overdue.',
      href: '/admin/privacy/late',
      dueAt: new Date(NOON - 1).toISOString(),
      isUrgent: true,
    }),
  ])
  expect((await tasksOf('email')).map(({ count }) => count)).toEqual([2])
})

test('links each show of this week to its door page', async () => {
  const [show] = await db.select().from(concerts)
  expect(await tasksOf('door')).toEqual([
    expect.objectContaining({ href: `/admin/shows/${show?.id}/door`, action: 'Open the door' }),
  ])
  await db.update(concerts).set({ startsAt: NOON + 8 * DAY_MS, endsAt: NOON + 8 * DAY_MS + HOUR_MS })
  expect(await tasksOf('door')).toEqual([])
})

test('counts reported posts until they are reviewed', async () => {
  const author = await addUser()
  const reporter = await addUser()
  await env.DB.batch([
    env.DB.prepare("INSERT INTO posts (id, author_id, text, created_at) VALUES ('p', ?1, 'x', 0)").bind(author.id),
    env.DB.prepare("INSERT INTO post_reports (post_id, user_id, created_at) VALUES ('p', ?1, 5)").bind(reporter.id),
  ])
  expect((await tasksOf('community')).map(({ count }) => count)).toEqual([1])
  await env.DB.prepare('UPDATE posts SET reviewed_at = 5').run()
  expect(await tasksOf('community')).toEqual([])
})

test('lists variants that are nearly sold out', async () => {
  await env.DB.prepare('UPDATE product_variants SET stock = 2').run()
  const [task] = await tasksOf('merch')
  expect(task?.text).toContain('(2 left)')
  await env.DB.prepare('UPDATE product_variants SET stock = 99').run()
  expect(await tasksOf('merch')).toEqual([])
})

test('limits tasks to the screens of a role', async () => {
  await addPaidOrder('one-more', {})
  await db.update(concerts).set({ startsAt: NOON + HOUR_MS, endsAt: NOON + 2 * HOUR_MS })
  const screens = new Set((await listPendingTasks(db, 'door', NOON)).map(({ screen }) => screen))
  expect([...screens]).toEqual(['door'])
  expect(await listPendingTasks(db, null, NOON)).toEqual([])
  const headers = { cookie: await cookieHeaderFor('administrator') }
  const tasks = await (await send('GET', '/api/admin/waiting', undefined, { at: NOON, headers })).json<PendingTask[]>()
  expect(tasks.map(({ id }) => id)).toContain('orders.pack')
})
