import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callerBinds } from '../auth/sessions'
import { PointsEntry } from '../contract/points'
import { limits } from '../limits'
import { errorOf, readPages, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { SELECT_HISTORY } from './points'
import { ledger } from './points.table'

/** Adds a supporter with ledger entries, ten per timestamp. The third has 0 points, so the history leaves it out. */
async function newSupporter(entryCount: number) {
  const user = await addUser()
  const { headers } = await sessionFor(user, NOON)
  for (let n = 1; n <= entryCount; n++)
    await db.insert(ledger).values({
      userId: user.id,
      action: 'poll_vote',
      key: `k${n}`,
      description: `Entry ${n}`,
      points: n === 3 ? 0 : 10,
      createdAt: NOON + Math.floor(n / 10),
    })
  const page = (query = '') => send('GET', `/api/points/history${query}`, undefined, { headers, at: NOON })
  return { user, headers, page }
}

/** The query of the next page, from the link header; undefined on the last page. */
const nextOf = (response: Response) =>
  /^<\/api\/points\/history(\?cursor=[\d.]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]

test('pages through the history from newest to oldest', async () => {
  const { headers } = await newSupporter(2 * limits.pointsHistoryPageSize + 6)
  const pages = await readPages('/api/points/history', { headers, at: NOON })
  const descriptions = z
    .array(PointsEntry)
    .parse(pages.flat())
    .map(({ description }) => description)
  const expected = Array.from({ length: 2 * limits.pointsHistoryPageSize + 6 }, (_, i) => i + 1).filter((n) => n !== 3)
  expect(descriptions).toEqual(expected.reverse().map((n) => `Entry ${n}`))
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 5])
})

test('sends no next link if there is only one page', async () => {
  const { page } = await newSupporter(limits.pointsHistoryPageSize + 1)
  const response = await page()
  expect([(await response.json<unknown[]>()).length, response.headers.get('link')]).toEqual([
    limits.pointsHistoryPageSize,
    null,
  ])
})

test('returns action, points and time without the key', async () => {
  const { page } = await newSupporter(1)
  expect(await (await page()).json()).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      action: 'poll_vote',
      description: 'Entry 1',
      points: 10,
      createdAt: new Date(NOON).toISOString(),
    },
  ])
})

test('returns one page of own entries for any query', async () => {
  const [frequentSupporter, otherSupporter] = [await newSupporter(60), await newSupporter(2)]
  const cursor = nextOf(await frequentSupporter.page())
  expect(
    (await (await otherSupporter.page(cursor)).json<PointsEntry[]>()).map(({ description }) => description),
  ).toEqual(['Entry 2', 'Entry 1'])
  for (const limit of ['1000000000', '-1', 'all'])
    expect((await (await frequentSupporter.page(`?limit=${limit}`)).json<unknown[]>()).length).toBe(
      limits.pointsHistoryPageSize,
    )
  expect((await (await otherSupporter.page(`?userId=${frequentSupporter.user.id}`)).json<unknown[]>()).length).toBe(2)
})

test('rejects invalid cursors', async () => {
  const { page } = await newSupporter(1)
  for (const cursor of ['', 'x', '1', '1.', '1.2.3', '-1.2', '1e9.1', '1.1%20OR%201=1', '9'.repeat(40)])
    expect(await errorOf(await page(`?cursor=${cursor}`))).toEqual([
      400,
      'bad_input',
      'That page of the history does not exist.',
    ])
})

test('requires a session', async () => {
  expect(await statusAndCodeOf(await send('GET', '/api/points/history'))).toEqual([401, 'signed_out'])
})

test('reads a page with the database index', async () => {
  const plan = (await queryPlan({ sql: SELECT_HISTORY, params: [...callerBinds(null), 1, 1, NOON] })).join('\n')
  expect(plan).toContain('SEARCH entry USING INDEX ledger_history (user_id=? AND created_at<?)')
  expect(plan).not.toContain('TEMP B-TREE')
})
