import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { errorResponse, renderApp } from '../testing/render'
// Preloads lazy screens, which could load for longer than a test waits.
import '../releases/MusicTab'

const session = buildAdminSession()
const overview = {
  supporters: 15_847,
  streams: 2_543_892,
  revenueCents: 4_829_350,
  growthPercent: 23.4,
  tiers: { bronze: 70, silver: 25, gold: 5 },
  changes: {
    supporters: { last30: 3_005, before30: 900 },
    streams: { last30: 5, before30: 9 },
    revenueCents: { last30: 0, before30: 0 },
  },
  cities: [{ city: 'Any City', people: 164 }],
  topTracks: [],
}
const responses = {
  'GET /api/admin/session': session,
  'GET /api/admin/overview': overview,
  'GET /api/admin/tracks': [],
}
const sessionExpired = () => errorResponse(401, 'session_expired', 'Please log in.')

test('the sidebar opens a screen and marks its entry', async () => {
  const { router } = await renderApp('/admin', responses)
  expect((await screen.findByText('$48,293.50')).tagName).toBe('DD')
  const sidebar = screen.getByRole('navigation', { name: 'Dashboard' })
  const entry = (name: string) => within(sidebar).getByRole('link', { name })
  expect(entry('Overview').getAttribute('aria-current')).toBe('page')
  await act(async () => void fireEvent.click(entry('Music')))
  expect(await screen.findByText(/^No tracks yet\./)).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Music')
  expect([router.state.location.href, entry('Music').getAttribute('aria-current')]).toEqual(['/admin/music', 'page'])
})

test.each([
  ['/admin?tab=music', '/admin/music'],
  ['/admin?tab=verse', '/admin/challenge'],
  ['/admin?tab=nothing', '/admin'],
])('redirects %s to %s', async (formerPath, path) => {
  const { router } = await renderApp(formerPath, responses)
  await screen.findByRole('heading', { level: 1 })
  expect(router.state.location.href).toBe(path)
})

test('an unknown path shows 404 without loading the session', async () => {
  const { sent } = await renderApp('/admin/nothing', responses)
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
  expect(sent).not.toContain('GET /api/admin/session')
})

test('a role sees its screens only', async () => {
  await renderApp('/admin/orders', { ...responses, 'GET /api/admin/session': { ...session, teamRole: 'door' } })
  expect(await screen.findByText(/Your role does not include this screen/)).toBeTruthy()
  const entries = within(screen.getByRole('navigation', { name: 'Dashboard' })).getAllByRole('link')
  expect(entries.map(({ textContent }) => textContent)).toEqual(['Overview', 'Door', 'Security'])
})

test('logs out when a request fails with session_expired', async () => {
  const { router } = await renderApp('/admin', { ...responses, 'GET /api/admin/overview': sessionExpired })
  await screen.findByRole('heading', { name: 'Admin login' })
  expect(router.state.location.pathname).toBe('/admin-login')
  expect(await screen.findByText('Session Expired')).toBeTruthy()
})

test('logs out when the session expires', async () => {
  const { router } = await renderApp('/admin', {
    ...responses,
    'GET /api/admin/session': { ...session, secondsLeft: 0 },
  })
  await screen.findByRole('heading', { name: 'Admin login' })
  expect(router.state.location.pathname).toBe('/admin-login')
})

test('rechecks the session when the page becomes visible', async () => {
  let isExpired = false
  const { router } = await renderApp('/admin', {
    ...responses,
    'GET /api/admin/session': () => (isExpired ? sessionExpired() : Response.json(session)),
  })
  await screen.findByText('$48,293.50')
  expect(router.state.location.pathname).toBe('/admin')
  isExpired = true
  fireEvent(document, new Event('visibilitychange'))
  await screen.findByRole('heading', { name: 'Admin login' })
})

test('a request under way at logout reports no expired session', async () => {
  const late = Promise.withResolvers<Response>()
  await renderApp('/admin', {
    ...responses,
    'GET /api/admin/overview': () => late.promise,
    'POST /api/admin/logout': () => {
      late.resolve(sessionExpired())
      return new Response(null, { status: 204 })
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Log out', hidden: true }))
  expect(await screen.findByText('Logged Out')).toBeTruthy()
  await screen.findByRole('heading', { name: 'Admin login' })
  expect(screen.queryByText('Session Expired')).toBeNull()
})

test('clears admin queries on logout', async () => {
  const { queryClient, sent } = await renderApp('/admin', {
    ...responses,
    'POST /api/admin/logout': () => new Response(null, { status: 204 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Log out', hidden: true }))
  expect(await screen.findByText('Logged Out')).toBeTruthy()
  expect(sent).toContain('POST /api/admin/logout')
  expect(queryClient.getQueryData(['admin', 'overview'])).toBeUndefined()
})
