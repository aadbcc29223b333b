import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { errorResponse, renderApp } from '../testing/render'
import { adminTab } from './AdminPage'

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
  trend: [
    { day: '2026-06-30', supporters: 15_800, streams: 3, revenueCents: 0 },
    { day: '2026-07-01', supporters: 15_847, streams: 2, revenueCents: 1_999 },
  ],
  cities: [{ city: 'Any City', people: 164 }],
  topTracks: [],
}
const responses = {
  'GET /api/admin/session': session,
  'GET /api/admin/overview': overview,
  'GET /api/admin/tracks': [],
}
const sessionExpired = () => errorResponse(401, 'session_expired', 'Please log in.')

test('opens with the overview; each tab has its URL', async () => {
  const { router } = await renderApp('/admin', responses)
  expect((await screen.findByText('$48,293.50')).tagName).toBe('DD')
  expect(screen.getByRole('tab', { name: 'Overview' }).getAttribute('aria-selected')).toBe('true')
  await act(async () => void fireEvent.mouseDown(screen.getByRole('tab', { name: 'Music' }), { button: 0 }))
  expect(await screen.findByText('No tracks yet.')).toBeTruthy()
  expect(router.state.location.search).toEqual({ tab: 'music' })
})

test('opens the tab in the URL, else the overview', async () => {
  await renderApp('/admin?tab=music', responses)
  expect(await screen.findByText('No tracks yet.')).toBeTruthy()
  expect(['music', 'nothing', undefined].map((id) => adminTab(id).id)).toEqual(['music', 'overview', 'overview'])
})

test('logs out when a request fails with session_expired', async () => {
  const { router } = await renderApp('/admin?tab=overview', { ...responses, 'GET /api/admin/overview': sessionExpired })
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
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logged Out')).toBeTruthy()
  await screen.findByRole('heading', { name: 'Admin login' })
  expect(screen.queryByText('Session Expired')).toBeNull()
})

test('clears admin queries on logout', async () => {
  const { queries, sent } = await renderApp('/admin', {
    ...responses,
    'POST /api/admin/logout': () => new Response(null, { status: 204 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logged Out')).toBeTruthy()
  expect(sent).toContain('POST /api/admin/logout')
  expect(queries.getQueryData(['admin', 'overview'])).toBeUndefined()
})
