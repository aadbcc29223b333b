import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminPointsEntry } from '../contract/admin'
import { errorOf, send } from '../testing/client'
import { addUser, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { POINTS_ENTRIES } from './points-ledger'

let headers: Record<string, string>
beforeAll(async () => {
  await seedSite(env.DB)
  headers = { cookie: await cookieHeaderFor('administrator') }
})
const get = (path: string) => send('GET', `/api/admin/supporters/${path}`, undefined, { at: NOON, headers })
const read = async (answer: Response) => (await answer.json()) as AdminPointsEntry[]

/** Somebody with so many lines, two of them of each instant, the first of them of no points. */
async function withLines(count: number) {
  const { id } = await addUser()
  await env.DB.prepare(`INSERT INTO ledger (user_id, action, key, description, points, created_at)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    SELECT ?1, 'community_post', 'community_post:' || i, 'Line ' || CAST(i AS INTEGER), iif(i, 15, 0), i / 2 FROM n`)
    .bind(id, count)
    .run()
  return id
}

test('the desk reads a supporter’s ledger page by page: every line once, nobody else’s, newest first', async () => {
  const [id, other] = [await withLines(120), await withLines(3)]
  const seen: string[] = []
  for (let next = `${id}/points`; next !== ''; ) {
    const answer = await get(next)
    seen.push(...(await read(answer)).map(({ description }) => description))
    next = /supporters\/([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `Line ${120 - i}`))
  expect(await read(await get(`${other}/points`))).toHaveLength(3)
  expect(await queryPlan({ sql: POINTS_ENTRIES, params: [id, 1, 1] })).toEqual([
    expect.stringContaining('ledger_history'),
    expect.stringContaining('CORRELATED'),
    expect.stringContaining('ledger_once'),
  ])
})

test('a line says whether it stands, was taken back, or is what took one back', async () => {
  const id = await withLines(2)
  const states = async () => (await read(await get(`${id}/points`))).map(({ points, state }) => [points, state]).sort()
  expect(await states()).toEqual([
    [15, 'stands'],
    [15, 'stands'],
  ])
  const [latest] = await read(await get(`${id}/points`))
  await send('POST', `/api/admin/points/${latest!.id}/void`, { reason: 'By a script' }, { at: NOON, headers })
  expect(await states()).toEqual([
    [-15, 'reversal'],
    [15, 'stands'],
    [15, 'taken_back'],
  ])
})

test('who is no supporter has no ledger here, and a page that we never gave is none', async () => {
  const { id } = await addUser({ role: 'administrator' })
  for (const who of [id, 999_999, 0, 'x'])
    expect((await errorOf(await get(`${who}/points`))).slice(0, 2)).toEqual([404, 'not_found'])
  const fan = await withLines(1)
  for (const cursor of ['x', '1', '1.x', `1.${'9'.repeat(20)}`])
    expect((await errorOf(await get(`${fan}/points?cursor=${cursor}`))).slice(0, 2)).toEqual([400, 'bad_input'])
})
