import { beforeAll, expect, test } from 'vitest'
import type { AdminSocialPost } from '../contract/admin-content'
import type { SiteConfig } from '../contract/site'
import { errorOf, getJson, send } from '../testing/client'
import { SOCIAL_POST, TIER } from '../testing/drafts'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const config = () => getJson<SiteConfig>('/api/config')

test('what a tier’s card says is public as soon as it is saved, and one alone is the popular one', async () => {
  for (const id of ['gold', 'silver'])
    expect(
      (await request('PATCH', `tiers/${id}`, { ...TIER, name: `My ${id}`, features: ['One', ' ', 'Two'] })).status,
    ).toBe(204)
  const { tiers } = await config()
  expect(tiers.filter(({ popular }) => popular).map(({ id }) => id)).toEqual(['silver'])
  expect(tiers.find(({ id }) => id === 'gold')).toMatchObject({
    name: 'My gold',
    priceCents: TIER.priceCents,
    features: ['One', 'Two'],
  })
  expect(await errorOf(await request('PATCH', 'tiers/bronze', TIER))).toEqual([400, 'bad_input', 'Bronze is free.'])
  expect((await request('PATCH', 'tiers/vip', TIER)).status).toBe(404)
})

test('a social post is added, changed and taken off, and its picture must be one that was sent', async () => {
  const titles = async () => (await config()).artist.socialPosts.map(({ title }) => title)
  const { id } = await (await request('POST', 'social-posts', SOCIAL_POST)).json<{ id: string }>()
  expect(await titles()).toContain(SOCIAL_POST.title)
  await request('PATCH', `social-posts/${id}`, { ...SOCIAL_POST, title: 'Newer' })
  expect(await titles()).toContain('Newer')
  const rows = async () => (await request('GET', 'social-posts')).json<AdminSocialPost[]>()
  const before = await rows()
  expect((await request('DELETE', `social-posts/${id}`)).status).toBe(204)
  expect(await titles()).not.toContain('Newer')
  expect((await rows()).map((row) => row.id)).not.toContain(id)
  // An undo brings the same row back, in its place.
  expect((await request('POST', `social-posts/${id}/restore`)).status).toBe(204)
  expect([await rows(), (await titles()).includes('Newer')]).toEqual([before, true])
  await request('DELETE', `social-posts/${id}`)
  for (const answer of [
    await request('DELETE', `social-posts/${id}`),
    await request('PATCH', `social-posts/${id}`, SOCIAL_POST),
  ])
    expect(answer.status).toBe(404)
  const unsent = await request('POST', 'social-posts', { ...SOCIAL_POST, imageUrl: '/media/uploads/up_none' })
  expect(await errorOf(unsent)).toEqual([400, 'bad_input', 'That picture is gone. Please send it again.'])
  expect((await errorOf(await request('POST', 'social-posts', { ...SOCIAL_POST, url: '' })))[2]).toBe(
    'The link must not be empty.',
  )
})
