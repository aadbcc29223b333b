import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { AdminRelease, AdminTrack } from '../contract/admin-content'
import { AnnouncedRelease, Release, ReleaseSummary } from '../contract/releases'
import type { Track } from '../contract/tracks'
import { exportUserData } from '../gdpr/data-export'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import { RELEASE_DRAFT, TRACK_DRAFT } from '../testing/drafts'
import { db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

const request = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/${path}`, body, { at, headers: { cookie } })
const add = async (path: string, draft: unknown) => {
  const response = await request('POST', path, draft)
  expect([response.status, response.ok || (await response.clone().text())]).toEqual([201, true])
  return ((await response.json()) as { id: string }).id
}
const readAdmin = <T>(path: string) => getJson<T>(`/api/admin/${path}`, { at: NOON, headers: { cookie } })
const addTrack = (title: string, draft: object = {}) =>
  add('tracks', { ...TRACK_DRAFT, album: undefined, title, releaseId: null, ...draft }).then(Number)
const iso = (at: number) => new Date(at).toISOString()
const releaseStatus = async (slug: string, at: number) =>
  (await send('GET', `/api/releases/${slug}`, undefined, { at })).status
const trackIdsAt = async (at: number) => (await getJson<Track[]>('/api/tracks', { at })).map(({ id }) => id)

test('lists public releases, newest first', async () => {
  const [first, second] = [await addTrack('One'), await addTrack('Two')]
  await add('releases', {
    ...RELEASE_DRAFT,
    title: 'Older',
    trackIds: [first, second],
    releasedAt: iso(NOON - 2 * DAY_MS),
  })
  await add('releases', {
    ...RELEASE_DRAFT,
    title: 'Newer',
    trackIds: [second],
    kind: 'single',
    releasedAt: iso(NOON - DAY_MS),
  })
  await add('releases', { ...RELEASE_DRAFT, title: 'To come', releasedAt: iso(NOON + 1) })
  const releases = z.array(ReleaseSummary).parse(await getJson('/api/releases', { at: NOON }))
  expect(
    releases.map(({ slug, kind, trackCount, durationSeconds }) => [slug, kind, trackCount, durationSeconds]),
  ).toEqual([
    ['newer', 'single', 1, 180],
    ['older', 'album', 2, 360],
    ['a-release', 'album', 1, 180],
  ])
})

test('shows a release with tracks, lyrics and credits', async () => {
  const credits = [{ role: 'Producer', name: 'Somebody Else' }]
  const id = await addTrack('With words', {
    lyrics: '[00:01.50]First line\n[00:03]Second line',
    credits,
    isrc: 'US-S1Z-26-00001',
  })
  await add('releases', {
    ...RELEASE_DRAFT,
    title: 'Álbum d’Été',
    trackIds: [id],
    credits,
    notes: 'Notes.',
    upc: '012345678905',
  })
  const release = Release.parse(await getJson('/api/releases/album-dete', { at: NOON }))
  expect(release).toMatchObject({ title: 'Álbum d’Été', notes: 'Notes.', credits, upc: '012345678905', trackCount: 1 })
  expect(release.tracks[0]).toMatchObject({
    slug: 'with-words',
    position: 1,
    isrc: 'USS1Z2600001',
    credits,
    lyrics: {
      plain: 'First line\nSecond line',
      lines: [
        { at: 1.5, text: 'First line' },
        { at: 3, text: 'Second line' },
      ],
    },
    releases: [{ slug: 'album-dete', title: 'Álbum d’Été', kind: 'album' }],
  })
})

test('hides a release until its time, to the millisecond', async () => {
  const at = NOON + HOUR_MS
  const id = await addTrack('Midnight', { audio: null })
  await env.DB.prepare("UPDATE tracks SET audio_key = 'audio/song.mp3' WHERE id = ?").bind(id).run()
  await add('releases', { ...RELEASE_DRAFT, title: 'Midnight', kind: 'single', trackIds: [id], releasedAt: iso(at) })
  const audioAt = async (now: number) => (await send('GET', `/api/tracks/${id}/audio`, undefined, { at: now })).status
  const clickAt = async (now: number) =>
    (await send('POST', `/api/tracks/${id}/play`, { service: 'spotify' }, { at: now })).status
  expect([await releaseStatus('midnight', at - 1), await audioAt(at - 1), await clickAt(at - 1)]).toEqual([
    404, 404, 404,
  ])
  expect(await errorOf(await send('GET', '/api/releases/midnight', undefined, { at: at - 1 }))).toEqual(
    await errorOf(await send('GET', '/api/releases/unknown', undefined, { at: at - 1 })),
  )
  expect(await trackIdsAt(at - 1)).not.toContain(id)
  expect([await releaseStatus('midnight', at), await audioAt(at), await clickAt(at)]).toEqual([200, 200, 204])
  expect(await trackIdsAt(at)).toContain(id)
})

test('gives the team access to a release before its time', async () => {
  const id = await addTrack('Preview')
  await env.DB.prepare("UPDATE tracks SET audio_key = 'audio/song.mp3' WHERE id = ?").bind(id).run()
  const releaseId = await add('releases', {
    ...RELEASE_DRAFT,
    title: 'Preview',
    trackIds: [id],
    releasedAt: iso(NOON + DAY_MS),
  })
  expect(Release.parse(await readAdmin(`releases/${releaseId}/preview`)).tracks.map(({ title }) => title)).toEqual([
    'Preview',
  ])
  expect((await request('GET', `tracks/${id}/audio`)).status).toBe(200)
  expect((await readAdmin<AdminTrack[]>('tracks')).find((track) => track.id === String(id))?.isReleased).toBe(false)
})

test('hides tracks with a removed release, until restored', async () => {
  const id = await addTrack('Here today')
  const releaseId = await add('releases', { ...RELEASE_DRAFT, title: 'Here today', trackIds: [id] })
  expect(await trackIdsAt(NOON)).toContain(id)
  await request('DELETE', `releases/${releaseId}`)
  expect([await releaseStatus('here-today', NOON), (await trackIdsAt(NOON)).includes(id)]).toEqual([404, false])
  await request('POST', `releases/${releaseId}/restore`)
  expect([await releaseStatus('here-today', NOON), (await trackIdsAt(NOON)).includes(id)]).toEqual([200, true])
})

test('links a track to its earliest album and release', async () => {
  const id = await addTrack('Everywhere')
  const album = async (at: number) =>
    (await getJson<Track[]>('/api/tracks', { at })).find((track) => track.id === id)?.album
  for (const [title, kind, at] of [
    ['A single', 'single', NOON - 3 * DAY_MS],
    ['An EP', 'ep', NOON + DAY_MS],
    ['An album', 'album', NOON + 2 * DAY_MS],
  ] as const)
    await add('releases', { ...RELEASE_DRAFT, title, kind, trackIds: [id], releasedAt: iso(at) })
  expect([await album(NOON), await album(NOON + DAY_MS), await album(NOON + 3 * DAY_MS)]).toEqual([
    '',
    'An EP',
    'An EP',
  ])
  expect((await getJson<Track[]>('/api/tracks', { at: NOON })).find((track) => track.id === id)).toMatchObject({
    slug: 'everywhere',
    releaseSlug: 'a-single',
  })
})

test('reorders tracks and rejects an outdated version', async () => {
  const ids = [await addTrack('A'), await addTrack('B'), await addTrack('C')]
  const id = await add('releases', { ...RELEASE_DRAFT, title: 'Order', trackIds: ids })
  const reversed = { ...RELEASE_DRAFT, title: 'Order', trackIds: ids.toReversed() }
  const results = await Promise.all([1, 2].map(() => request('PATCH', `releases/${id}`, { ...reversed, version: 1 })))
  expect(results.map(({ status }) => status).sort()).toEqual([204, 409])
  expect(await readAdmin<AdminRelease>(`releases/${id}`)).toMatchObject({ trackIds: ids.toReversed(), version: 2 })
  const outdated = await request('PATCH', `releases/${id}`, { ...reversed, trackIds: [], version: 1 })
  expect(await statusAndCodeOf(outdated)).toEqual([409, 'conflict'])
  expect((await readAdmin<AdminRelease>(`releases/${id}`)).trackIds).toEqual(ids.toReversed())
})

test('rejects a save that names no version', async () => {
  const id = await add('releases', { ...RELEASE_DRAFT, title: 'Notes', notes: 'An evening of liner notes.' })
  const response = await request('PATCH', `releases/${id}`, { ...RELEASE_DRAFT, title: 'Notes' })
  expect(await statusAndCodeOf(response)).toEqual([409, 'conflict'])
  expect(await readAdmin<AdminRelease>(`releases/${id}`)).toMatchObject({
    notes: 'An evening of liner notes.',
    version: 1,
  })
})

test('slugs are unique, and fixed after publication', async () => {
  const first = await add('releases', { ...RELEASE_DRAFT, title: 'Same' })
  const second = await add('releases', { ...RELEASE_DRAFT, title: 'Same', releasedAt: iso(NOON + DAY_MS) })
  expect((await readAdmin<AdminRelease>(`releases/${second}`)).slug).toBe('same-2')
  const rename = (id: string, slug: string, releasedAt: number) =>
    request('PATCH', `releases/${id}`, {
      ...RELEASE_DRAFT,
      title: 'Same',
      slug,
      releasedAt: iso(releasedAt),
      version: 1,
    })
  expect((await errorOf(await rename(first, 'other', NOON)))[1]).toBe('conflict')
  expect((await errorOf(await rename(second, 'same', NOON + DAY_MS)))[1]).toBe('conflict')
  expect((await rename(second, 'other', NOON + DAY_MS)).status).toBe(204)
})

test.each(['releases', 'tracks'])('gives concurrently renamed %s different slugs', async (kind) => {
  const draftOf = (title: string) =>
    kind === 'releases'
      ? { ...RELEASE_DRAFT, title, releasedAt: iso(NOON + DAY_MS), version: 1 }
      : { ...TRACK_DRAFT, album: undefined, title, releaseId: null }
  for (let round = 0; round < 5; round++) {
    const titles = [`Left ${round}`, `Right ${round}`]
    const ids = await Promise.all(titles.map((title) => add(kind, draftOf(title))))
    const slug = `wanted-${round}`
    const responses = await Promise.all(
      ids.map((id) => request('PATCH', `${kind}/${id}`, { ...draftOf(`Renamed ${id}`), slug })),
    )
    const errors = await Promise.all(responses.filter(({ ok }) => !ok).map(errorOf))
    expect(errors).toEqual([[409, 'conflict', 'That address is taken.']])
    const rows = await readAdmin<{ id: string; slug: string }[]>(kind)
    expect(rows.filter((row) => row.slug === slug).length).toBe(1)
  }
})

test('a single is hidden while its only track is removed', async () => {
  const id = await add('tracks', { ...TRACK_DRAFT, title: 'Only one' })
  const listedSlugs = async () =>
    (await getJson<ReleaseSummary[]>('/api/releases', { at: NOON })).map(({ slug }) => slug)
  await request('DELETE', `tracks/${id}`)
  expect([await releaseStatus('only-one', NOON), (await listedSlugs()).includes('only-one')]).toEqual([404, false])
  await request('POST', `tracks/${id}/restore`)
  expect([await releaseStatus('only-one', NOON), (await listedSlugs()).includes('only-one')]).toEqual([200, true])
})

test('a track that leaves its album stays on its single', async () => {
  const id = Number(await add('tracks', { ...TRACK_DRAFT, title: 'Leaves' }))
  await request('PATCH', `tracks/${id}`, { ...TRACK_DRAFT, title: 'Leaves', album: 'An album to leave' })
  // The second time, it has already left.
  for (const album of ['', '']) await request('PATCH', `tracks/${id}`, { ...TRACK_DRAFT, title: 'Leaves', album })
  const releases = (await readAdmin<AdminRelease[]>('releases')).filter(({ trackIds }) => trackIds.includes(id))
  expect(releases.map(({ kind, slug }) => [kind, slug])).toEqual([['single', 'leaves']])
})

test('exports and points history hide a postponed track’s title', async () => {
  const id = await addTrack('Postponed')
  const draft = { ...RELEASE_DRAFT, title: 'Postponed', trackIds: [id] }
  const releaseId = await add('releases', draft)
  const supporter = await addNamedUser('likes-it')
  const browser = await browserWithSession('likes-it', { at: NOON })
  await browser.send('POST', `/api/tracks/${id}/like`)
  await browser.send('DELETE', `/api/tracks/${id}/like`)
  await browser.send('POST', `/api/tracks/${id}/like`)
  const texts = async () => [
    JSON.stringify(await exportUserData({ db, secret: 'x'.repeat(32) }, supporter.id, NOON)),
    await (await browser.send('GET', '/api/points/history')).text(),
  ]
  for (const text of await texts()) expect(text).toContain('Liked “Postponed”')
  await request('PATCH', `releases/${releaseId}`, { ...draft, releasedAt: iso(NOON + 1), version: 1 })
  for (const text of await texts()) {
    expect(text).not.toContain('Postponed')
    expect(text).toContain('A track that is not out')
  }
})

test('announces a scheduled release without its tracks', async () => {
  const at = NOON + HOUR_MS
  const id = await addTrack('Unheard', { lyrics: 'Unread words' })
  const draft = { ...RELEASE_DRAFT, title: 'Announced', isAnnounced: true, trackIds: [id], releasedAt: iso(at) }
  const releaseId = await add('releases', draft)
  const announced = (now: number) => getJson<AnnouncedRelease[]>('/api/announced-releases', { at: now })
  expect(z.array(AnnouncedRelease).parse(await announced(at - 1))).toEqual([
    {
      slug: 'announced',
      title: 'Announced',
      artist: 'Any Artist',
      kind: 'album',
      releasedAt: iso(at),
      coverUrl: RELEASE_DRAFT.coverUrl,
      coverAlt: RELEASE_DRAFT.coverAlt,
    },
  ])
  expect([await releaseStatus('announced', at - 1), await releaseStatus('announced', at), await announced(at)]).toEqual(
    [404, 200, []],
  )
  await request('DELETE', `releases/${releaseId}`)
  expect(await announced(NOON)).toEqual([])
  await request('POST', `releases/${releaseId}/restore`)
  expect(await announced(NOON)).toHaveLength(1)
  const change = (changes: object) => request('PATCH', `releases/${releaseId}`, { ...draft, version: 1, ...changes })
  expect((await errorOf(await change({ slug: 'elsewhere' })))[1]).toBe('conflict')
  expect((await change({ isAnnounced: false })).status).toBe(204)
  expect(await announced(NOON)).toEqual([])
})

test('a track added without a release becomes a single', async () => {
  const id = await add('tracks', { ...TRACK_DRAFT, title: 'Alone' })
  const release = Release.parse(await getJson('/api/releases/alone', { at: NOON }))
  expect([release.kind, release.tracks.map((track) => track.id)]).toEqual(['single', [Number(id)]])
})

test('rejects invalid lyrics and names their line', async () => {
  const [status, , message] = await errorOf(
    await request('POST', 'tracks', { ...TRACK_DRAFT, lyrics: '[00:01]Fine\n[00:99]Broken' }),
  )
  expect([status, message]).toEqual([400, 'Line 2 of the lyrics: This time cannot be read. Write it like [01:23.45].'])
})
