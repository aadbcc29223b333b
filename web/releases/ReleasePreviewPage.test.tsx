import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { buildRelease, buildReleaseTrack } from '../testing/release.fixture'
import { changeField, errorResponse, type MockResponses, renderApp, submitForm } from '../testing/render'
import { buildSite } from '../testing/site.fixture'

const playedPaths: string[] = []
beforeEach(() => {
  playedPaths.length = 0
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    playedPaths.push(new URL(this.src).pathname)
  })
})

const tracks = [
  buildReleaseTrack({ isExclusive: true, lyrics: { plain: 'Unread words', lines: [] } }),
  buildReleaseTrack({ id: 2, slug: 'closer', position: 2, title: 'Closer', hasAudio: false }),
]
const openPreview = (path: string, responses: MockResponses = {}) =>
  renderApp(path, {
    'GET /api/config': buildSite(),
    'GET /api/admin/session': buildAdminSession({ teamRole: 'editor' }),
    'GET /api/admin/releases/r1/preview': buildRelease({ tracks, releasedAt: '2099-07-02T03:30:00.000Z' }),
    ...responses,
  })

test('shows the release with its public time and plays it', async () => {
  const { sent } = await openPreview('/admin/releases/r1/preview')
  expect(await screen.findByRole('heading', { name: 'A Record' })).toBeDefined()
  const banner = within(screen.getByRole('complementary', { name: 'Preview' }))
  expect(banner.getByText(/Preview, public on/).textContent).toContain('July 1, 2099 at 11:30 PM EDT')
  expect(banner.getByRole('link', { name: 'Back to the editor' }).getAttribute('href')).toBe('/admin/releases/r1')
  fireEvent.click(screen.getByRole('button', { name: 'Play First Light' }))
  expect(playedPaths).toEqual(['/api/admin/tracks/1/audio'])
  expect(screen.queryByRole('button', { name: 'Play Closer' })).toBeNull()
  expect(sent.some((request) => request.startsWith('POST'))).toBe(false)
})

test('previews a track with lyrics, without like and share', async () => {
  await openPreview('/admin/releases/r1/preview')
  fireEvent.click(await screen.findByRole('link', { name: /First Light/ }))
  expect(await screen.findByText('Unread words')).toBeDefined()
  for (const name of ['Share', 'Like First Light']) expect(screen.queryByRole('button', { name })).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'Whole release' }))
  expect(await screen.findByRole('list', { name: 'Tracks' })).toBeDefined()
})

test('says why the preview may have failed', async () => {
  await openPreview('/admin/releases/r1/preview', {
    'GET /api/admin/releases/r1/preview': () => errorResponse(404, 'not_found', 'That release does not exist.'),
  })
  expect(await screen.findByText(/the release may have been deleted/)).toBeDefined()
})

test('a shared preview link asks for a login, then opens', async () => {
  const path = '/admin/releases/r1/preview?track=first-light'
  let isLoggedIn = false
  const session = buildAdminSession({ teamRole: 'editor' })
  const { router } = await openPreview(path, {
    'GET /api/admin/session': () =>
      isLoggedIn ? Response.json(session) : errorResponse(401, 'signed_out', 'Please log in as an administrator.'),
    'POST /api/admin/login': () => {
      isLoggedIn = true
      return Response.json(session)
    },
  })
  await screen.findByRole('heading', { name: 'Admin login' })
  changeField('Username', 'editor')
  changeField('Password', 'a long enough password')
  submitForm('Username')
  expect(await screen.findByRole('complementary', { name: 'Preview' })).toBeDefined()
  expect(router.state.location.href).toBe(path)
})
