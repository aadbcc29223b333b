import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { readList } from '../db/list'
import { DAY_MS } from '../lib/clock'
import { addTrack, addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { auditList } from './admin-list'
import { recordAudit } from './audit'

beforeAll(async () => {
  await seedSite(env.DB)
  const actor = await addUser({ username: 'manager-mo' })
  const supporter = await addUser({ username: 'fan-fern' })
  await addTrack({ id: 3, title: 'Lanterns' })
  const entry = (action: string, subject: string, at: number) =>
    recordAudit(db, { actorId: actor.id, action, subject, at, detail: { reason: 'why' } }).run()
  await entry('supporter.banned', `user:${supporter.id}`, NOON - 2 * DAY_MS)
  await entry('archive.requested', 'archive:a', NOON - 2 * DAY_MS)
  await entry('track.changed', 'track:3', NOON - DAY_MS)
  await entry('legal_text.changed', 'legal_text:terms', NOON - DAY_MS)
  await entry('track.removed', 'track:404', NOON)
})

const read = async ({ q = '', ...filters }: Record<string, string> = {}) =>
  (await readList(db, auditList, { q, sort: null, cursor: null, filters })).rows.map(({ action, subjectName }) => [
    action,
    subjectName,
  ])

test('returns the current name of each entry’s subject', async () => {
  expect(await read()).toEqual([
    ['track.removed', ''],
    ['legal_text.changed', ''],
    ['track.changed', 'Lanterns'],
    ['archive.requested', ''],
    ['supporter.banned', 'fan-fern'],
  ])
  const { rows } = await readList(db, auditList, { q: '', sort: 'when', cursor: null, filters: {} })
  expect(rows[0]).toMatchObject({ actor: 'manager-mo', detail: { reason: 'why' } })
})

test('filters by area and days, and searches names', async () => {
  expect(await read({ area: 'people' })).toEqual([
    ['archive.requested', ''],
    ['supporter.banned', 'fan-fern'],
  ])
  expect(await read({ area: 'content,team', when: '..2026-06-30' })).toEqual([
    ['legal_text.changed', ''],
    ['track.changed', 'Lanterns'],
  ])
  expect(await read({ q: 'lanTERN' })).toEqual([['track.changed', 'Lanterns']])
  expect(await read({ q: 'MANAGER', area: 'shop' })).toEqual([])
  await expect(read({ area: 'nothing' })).rejects.toThrow('no such filter value')
})
