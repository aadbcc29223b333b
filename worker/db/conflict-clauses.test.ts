import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { addUser } from '../testing/fixtures'

// Why architecture.test.ts bans OR IGNORE and OR REPLACE: a statement's OR clause also governs the statements of its
// triggers, and OR REPLACE deletes the old row without its delete triggers.

let userId: number
const addEntry = (insert: string, key: string, points: number, tail = '') =>
  env.DB.prepare(
    `${insert} ledger (user_id, action, key, description, points, created_at) VALUES (?1, 'x', ?2, 'x', ?3, 0) ${tail}`,
  )
    .bind(userId, key, points)
    .run()
/** The user's stored total, and the sum of the ledger entries that it must equal. */
const readTotals = () =>
  env.DB.prepare(
    'SELECT points AS total, (SELECT sum(points) FROM ledger WHERE user_id = users.id) AS sum FROM users WHERE id = ?1',
  )
    .bind(userId)
    .first<{ total: number; sum: number }>()

beforeEach(async () => {
  userId = (await addUser()).id
  await addEntry('INSERT INTO', 'first', 10)
})

test('OR IGNORE stores a ledger entry whose trigger failed', async () => {
  await addEntry('INSERT OR IGNORE INTO', 'debt', -50)
  expect(await readTotals()).toEqual({ total: 10, sum: -40 })
})

test('OR REPLACE counts the points of a replaced entry twice', async () => {
  await addEntry('INSERT OR REPLACE INTO', 'first', 10)
  expect(await readTotals()).toEqual({ total: 20, sum: 10 })
})

test('ON CONFLICT DO NOTHING rolls back a rejected entry', async () => {
  await addEntry('INSERT INTO', 'first', 10, 'ON CONFLICT DO NOTHING')
  await expect(addEntry('INSERT INTO', 'debt', -50, 'ON CONFLICT DO NOTHING')).rejects.toThrow('users_points')
  expect(await readTotals()).toEqual({ total: 10, sum: 10 })
})
