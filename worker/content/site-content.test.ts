import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { Challenge } from '../contract/challenge'
import type { SiteConfig } from '../contract/site'
import type { DeskChallenge, DeskSocialPost } from '../contract/site-content'
import { read, refusal, send } from '../testing/client'
import { CHALLENGE, SOCIAL_POST, TIER } from '../testing/drafts'
import { fullHouse } from '../testing/full-house'
import { NOON } from '../testing/furnish'
import { cookiesOf } from '../testing/roles'

let cookie = ''
beforeAll(async () => {
  await fullHouse()
  cookie = await cookiesOf('administrator')
})
const ask = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const config = () => read<SiteConfig>('/api/config')

test('what a tier’s card says is public as soon as it is saved, and one alone is the popular one', async () => {
  for (const id of ['gold', 'silver'])
    expect(
      (await ask('PATCH', `tiers/${id}`, { ...TIER, name: `My ${id}`, features: ['One', ' ', 'Two'] })).status,
    ).toBe(204)
  const { tiers } = await config()
  expect(tiers.filter(({ popular }) => popular).map(({ id }) => id)).toEqual(['silver'])
  expect(tiers.find(({ id }) => id === 'gold')).toMatchObject({
    name: 'My gold',
    priceCents: TIER.priceCents,
    features: ['One', 'Two'],
  })
  expect(await refusal(await ask('PATCH', 'tiers/bronze', TIER))).toEqual([400, 'bad_input', 'Bronze is free.'])
  expect((await ask('PATCH', 'tiers/vip', TIER)).status).toBe(404)
})

test('a social post is added, changed and taken off, and its picture must be one that was sent', async () => {
  const titles = async () => (await config()).artist.socialPosts.map(({ title }) => title)
  const { id } = await (await ask('POST', 'social-posts', SOCIAL_POST)).json<{ id: string }>()
  expect(await titles()).toContain(SOCIAL_POST.title)
  await ask('PATCH', `social-posts/${id}`, { ...SOCIAL_POST, title: 'Newer' })
  expect(await titles()).toContain('Newer')
  const rows = async () => (await ask('GET', 'social-posts')).json<DeskSocialPost[]>()
  const before = await rows()
  expect((await ask('DELETE', `social-posts/${id}`)).status).toBe(204)
  expect(await titles()).not.toContain('Newer')
  expect((await rows()).map((row) => row.id)).not.toContain(id)
  // An undo brings the same row back, in its place.
  expect((await ask('POST', `social-posts/${id}/restore`)).status).toBe(204)
  expect([await rows(), (await titles()).includes('Newer')]).toEqual([before, true])
  await ask('DELETE', `social-posts/${id}`)
  for (const answer of [
    await ask('DELETE', `social-posts/${id}`),
    await ask('PATCH', `social-posts/${id}`, SOCIAL_POST),
  ])
    expect(answer.status).toBe(404)
  const unsent = await ask('POST', 'social-posts', { ...SOCIAL_POST, imageUrl: '/media/uploads/up_none' })
  expect(await refusal(unsent)).toEqual([400, 'bad_input', 'That picture is gone. Please send it again.'])
  expect((await refusal(await ask('POST', 'social-posts', { ...SOCIAL_POST, url: '' })))[2]).toBe(
    'The link must not be empty.',
  )
})

test('a challenge is kept with its finalists in their order, and the days show on the hall of fame', async () => {
  const { id } = await (await ask('POST', 'challenges', CHALLENGE)).json<{ id: string }>()
  const seen = async () => (await (await ask('GET', 'challenges')).json<DeskChallenge[]>()).find((one) => one.id === id)
  expect(await seen()).toEqual({ id, votes: 0, submissions: 0, ...CHALLENGE })
  const finalists = ['Third', 'First']
  expect((await ask('PATCH', `challenges/${id}`, { ...CHALLENGE, finalists, title: 'Renamed' })).status).toBe(204)
  expect(await seen()).toMatchObject({ finalists, title: 'Renamed' })
  const shown = await read<Challenge>('/api/challenge', { at: NOON })
  expect([shown.title, shown.finalists.map(({ name }) => name).sort()]).toEqual(['Renamed', ['First', 'Third']])
  const standing = () =>
    env.DB.prepare('SELECT id, name FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY position').bind(id).all()
  const { results: before } = await standing()
  expect((await ask('DELETE', `challenges/${id}`)).status).toBe(204)
  expect(await seen()).toBeUndefined()
  expect((await read<Challenge>('/api/challenge', { at: NOON })).id).not.toBe(id)
  expect((await ask('PATCH', `challenges/${id}`, CHALLENGE)).status).toBe(404)
  // An undo brings the same record back, with the same finalists.
  expect((await ask('POST', `challenges/${id}/restore`)).status).toBe(204)
  expect([await seen(), (await standing()).results]).toEqual([
    expect.objectContaining({ id, finalists, title: 'Renamed' }),
    before,
  ])
  expect(await read<Challenge>('/api/challenge', { at: NOON })).toEqual(shown)
  await ask('DELETE', `challenges/${id}`)
})

test('who stood for election stays once votes have been cast, and so does the record', async () => {
  const [before] = (await (await ask('GET', 'challenges')).json<DeskChallenge[]>()).filter(({ id }) => id === '1')
  const { id, votes, submissions, ...draft } = before as DeskChallenge
  expect([id, votes, submissions]).toEqual(['1', 1, 1])
  const renamed = await ask('PATCH', 'challenges/1', { ...draft, finalists: ['Somebody Else'] })
  expect((await refusal(renamed)).slice(0, 2)).toEqual([409, 'conflict'])
  expect((await ask('PATCH', 'challenges/1', { ...draft, prize: '$600' })).status).toBe(204)
  expect((await refusal(await ask('DELETE', 'challenges/1'))).slice(0, 2)).toEqual([409, 'conflict'])
  expect((await ask('DELETE', 'challenges/none')).status).toBe(404)
  const { results } = await env.DB.prepare("SELECT name, votes FROM challenge_finalists WHERE challenge_id = '1'").all()
  expect(results).toEqual([{ name: 'Finalist', votes: 1 }])
})

test.each([
  [{ votingFrom: '2026-01-01' }, 'The days must follow each other.'],
  [{ winnerOn: '2026-02-30' }, 'There is no such day.'],
  [{ finalists: ['One', 'ONE'] }, 'Two finalists have the same name.'],
  [{ prize: '' }, 'The prize must not be empty.'],
])('a challenge with %j is refused with a sentence', async (wrong, sentence) => {
  expect(await refusal(await ask('POST', 'challenges', { ...CHALLENGE, ...wrong }))).toEqual([
    400,
    'bad_input',
    sentence,
  ])
})
