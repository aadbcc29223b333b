import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { SITE_DRAFT } from '../../worker/testing/drafts'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { buildAdminTrack, TRACK_VALUES } from '../testing/admin-track.fixture'
import { changeField, type MockResponses, noContent, renderApp } from '../testing/render'

const TRACK = buildAdminTrack({ id: '2' })
const MASTER = {
  fileName: 'two.flac',
  contentType: 'audio/flac',
  sizeBytes: 1024,
  storedAt: '2026-07-01T16:00:00.000Z',
}

beforeEach(() => localStorage.clear())

const openTrack = (id: string, responses: MockResponses) =>
  renderApp(`/admin/tracks/${id}`, {
    'GET /api/admin/session': buildAdminSession(),
    'GET /api/admin/site': SITE_DRAFT,
    'GET /api/admin/tracks': [],
    'GET /api/admin/tracks?sort=-position': [],
    'GET /api/admin/releases': [],
    'GET /api/admin/tracks/2/master': { master: MASTER, upload: null },
    ...responses,
  })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

test('saving a recording removes the hint below the form', async () => {
  let stored = TRACK
  await openTrack('2', {
    'GET /api/admin/tracks?id=2': () => Response.json([stored]),
    'PATCH /api/admin/tracks/2': async (request: Request) => {
      stored = { ...stored, audio: 'audio/two.mp3', version: 2 }
      expect(await request.json()).toMatchObject({ title: 'Second', version: 1 })
      return noContent()
    },
  })
  expect(await screen.findByText(/Visitors can’t play this track yet/)).toBeDefined()
  changeField('Title', 'Second')
  save()
  await waitFor(() => expect(screen.queryByText(/Visitors can’t play this track yet/)).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Second')
})

test('after a track is added, its own page opens', async () => {
  const draft = { name: 'A new track', base: {}, values: TRACK_VALUES, savedAt: Date.now() }
  localStorage.setItem('admin.draft.7.tracks.new', JSON.stringify(draft))
  const { router } = await openTrack('new', {
    'GET /api/admin/tracks?id=2': [TRACK],
    'POST /api/admin/tracks': () => Response.json({ id: '2' }, { status: 201 }),
  })
  await screen.findByRole('region', { name: 'Draft restored' })
  expect(screen.queryByRole('heading', { name: 'Master' })).toBeNull()
  save()
  expect(await screen.findByRole('heading', { name: 'Master' })).toBeDefined()
  expect(router.state.location.pathname).toBe('/admin/tracks/2')
  expect(screen.queryByRole('region', { name: 'Draft restored' })).toBeNull()
})

test.each([
  ['out', true, 'It is on the site.'],
  ['not out', false, 'It is on the site once its release is out.'],
])('saving a track that is %s says so', async (_, isReleased, text) => {
  const track = { ...TRACK, isReleased }
  await openTrack('2', { 'GET /api/admin/tracks?id=2': [track], 'PATCH /api/admin/tracks/2': noContent })
  await screen.findByLabelText('Title')
  changeField('Title', 'Second')
  save()
  expect(await screen.findByText(text)).toBeDefined()
})

test('typed text is saved as a draft of the track', async () => {
  await openTrack('2', { 'GET /api/admin/tracks?id=2': [TRACK] })
  await screen.findByLabelText('Title')
  changeField('Title', 'Second')
  const draftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('admin.draft.'))
  await waitFor(() => expect(draftKeys()).toEqual(['admin.draft.7.tracks.2']))
})

test('says that the track was deleted', async () => {
  await openTrack('2', { 'GET /api/admin/tracks?id=2': [] })
  expect(await screen.findByText(/^This track was deleted/)).toBeDefined()
})
