import { beforeAll, expect, test } from 'vitest'
import type { SiteConfig } from '../contract/site'
import type { DeskSocialPost } from '../contract/site-content'
import { read, refusal, send } from '../testing/client'
import { SOCIAL_POST, TIER } from '../testing/drafts'
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
