import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { concerts } from '../concerts/concerts.table'
import { Arrival } from '../contract/check-in'
import { openDb } from '../db/client'
import { DAY, HOUR, MINUTE, type Millis } from '../lib/clock'
import { seal } from '../lib/signature'
import { refusal, send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { freshAddress } from '../testing/people'
import { addUser, db, sessionFor } from '../testing/rows'
import { doorCode } from './door'

const BEGINS = NOON + DAY
const GONE = [400, 'bad_token', 'That scan cannot be used any more. Please scan the code at the door again.']
const secret = env.SIGNING_SECRET

beforeAll(async () => {
  await furnish(env.DB)
  const [first] = await db.select().from(concerts)
  await db.insert(concerts).values({ ...first!, id: 'show-2' })
})
let address = ''
beforeEach(() => {
  address = freshAddress()
})

const code = async (at: Millis, id = 'show-1') => (await doorCode({ db: openDb(env.DB), secret }, id, at)).code
const scan = (json: unknown, at: Millis, id = 'show-1') =>
  send('POST', `/api/concerts/${id}/arrivals`, json, { at, headers: { 'cf-connecting-ip': address } })
async function scanned(at: Millis, id = 'show-1') {
  return Arrival.parse(await (await scan({ code: await code(at, id) }, at, id)).json())
}
async function newcomer(createdAt: Millis) {
  const { headers } = await sessionFor(await addUser({ createdAt }), createdAt)
  return (arrivalToken: unknown, at: Millis, id = 'show-1') =>
    send('POST', `/api/concerts/${id}/check-in`, { arrivalToken }, { at, headers })
}

test('a visitor’s scan is redeemed after signing up, once, by one person', async () => {
  const { arrivalToken, expiresAt } = await scanned(BEGINS)
  expect(expiresAt).toBe(new Date(BEGINS + 30 * MINUTE).toISOString())
  const [redeem, friend] = [await newcomer(BEGINS + 5 * MINUTE), await newcomer(BEGINS + 5 * MINUTE)]
  const answer = await redeem(arrivalToken, BEGINS + 6 * MINUTE)
  expect(await answer.json()).toMatchObject({ pointsAwarded: 250, totalPoints: 250 })
  expect((await refusal(await redeem(arrivalToken, BEGINS + 7 * MINUTE))).slice(0, 2)).toEqual([409, 'conflict'])
  expect(await refusal(await friend(arrivalToken, BEGINS + 7 * MINUTE))).toEqual([
    400,
    'bad_token',
    'That scan has let somebody in already. Please scan the code at the door again.',
  ])
})

test('one scan shared by twenty newcomers at once lets one in', async () => {
  const { arrivalToken } = await scanned(BEGINS)
  const crowd = await Promise.all(Array.from({ length: 20 }, () => newcomer(BEGINS)))
  const statuses = (await Promise.all(crowd.map((redeem) => redeem(arrivalToken, BEGINS)))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
})

test('a scan lasts thirty minutes, and thirty from signing up for who does that in time', async () => {
  const { arrivalToken } = await scanned(BEGINS)
  const after = (minutes: number) => BEGINS + minutes * MINUTE
  const [longSince, tooLate, inTime] = [await newcomer(NOON), await newcomer(after(31)), await newcomer(after(20))]
  expect(await refusal(await longSince(arrivalToken, after(30) + 1))).toEqual(GONE)
  expect(await refusal(await tooLate(arrivalToken, after(32)))).toEqual(GONE)
  expect(await refusal(await inTime(arrivalToken, after(50) + 1))).toEqual(GONE)
  expect((await inTime(arrivalToken, after(50))).status).toBe(200)
  const again = await scanned(BEGINS)
  expect((await longSince(again.arrivalToken, after(30))).status).toBe(200)
})

test('a scan at the end is redeemed when the door has closed, because it was made in time', async () => {
  const last = BEGINS + 4 * HOUR - 1
  const { arrivalToken } = await scanned(last)
  expect((await (await newcomer(last))(arrivalToken, last + 10 * MINUTE)).status).toBe(200)
})

test('a forged, altered or foreign token lets nobody in', async () => {
  const { arrivalToken } = await scanned(BEGINS)
  const redeem = await newcomer(BEGINS)
  const value = `arrival_x:${BEGINS}:show-1`
  for (const token of [
    '',
    'x',
    value,
    `${value}.${'A'.repeat(43)}`,
    await seal(secret, 'unsubscribe', value),
    await seal(`${secret}x`, 'arrival', value),
    arrivalToken.replace('show-1', 'show-2'),
    arrivalToken.slice(0, -2),
    await seal(secret, 'arrival', `arrival_x:${BEGINS + DAY}:show-1`),
  ])
    expect(await refusal(await redeem(token, BEGINS))).toEqual(GONE)
  expect(await refusal(await redeem(arrivalToken, BEGINS, 'show-2'))).toEqual(GONE)
  expect((await refusal(await redeem('x'.repeat(501), BEGINS))).slice(0, 2)).toEqual([400, 'bad_input'])
  expect((await redeem(arrivalToken, BEGINS)).status).toBe(200)
})

test('a visitor’s scan keeps to the door’s window and codes', async () => {
  expect((await refusal(await scan({ code: await code(NOON) }, NOON)))[1]).toBe('closed')
  expect((await refusal(await scan({ code: await code(BEGINS, 'show-2') }, BEGINS)))[1]).toBe('bad_input')
  expect((await refusal(await scan({ code: await code(BEGINS) }, BEGINS + MINUTE)))[1]).toBe('bad_input')
  expect((await refusal(await scan({ code: '123456' }, BEGINS, 'none')))[1]).toBe('not_found')
})
