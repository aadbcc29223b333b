import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../api/call'
import { authStatus } from '../auth/auth.queries'
import { newQueries } from '../queries'
import { mockFetch, renderApp, renderWithProviders } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { NavBar } from './NavBar'

const queries = { current: newQueries() }

async function bar(me: unknown) {
  mockFetch({})
  queries.current = newQueries()
  queries.current.setQueryData(authStatus.queryKey, me as never)
  queries.current.setQueryData(['config'], { artist: { name: 'Some Body', links: { contact: '' } } })
  await renderWithProviders(<NavBar />, { queries: queries.current })
  return (name: string) => screen.getByRole('link', { name }).getAttribute('href')
}

test('shows visitors zero points and a login link', async () => {
  const href = await bar(null)
  expect(screen.getByText('Your points:').parentElement?.textContent).toBe('Your points:0')
  expect(href('Sign Up / Login')).toBe('/login')
})

test('shows supporters their points and a subscribe link', async () => {
  const href = await bar({ username: 'fan', points: 1285, tier: 'bronze' })
  expect(screen.getByText('Your points:').parentElement?.textContent).toBe('Your points:1,285')
  expect(href('Subscribe')).toBe('/subscribe')
})

test('shows the points of a mutation’s response at once', async () => {
  await bar({ username: 'fan', points: 10, tier: 'bronze' })
  const { current } = queries
  const act = (response: unknown) =>
    current
      .getMutationCache()
      .build(current, { mutationFn: async () => response })
      .execute(undefined)
  const shown = () => screen.getByText('Your points:').parentElement?.textContent
  await act({ pointsAwarded: 10, totalPoints: 20 })
  await waitFor(() => expect(shown()).toBe('Your points:20'))
  for (const silent of [{ pointsAwarded: 5 }, undefined, 'text', null]) await act(silent)
  await act({ pointsAwarded: -5, totalPoints: 15 })
  await waitFor(() => expect(shown()).toBe('Your points:15'))
})

test('shows the login link after a signed_out error', async () => {
  await bar({ username: 'fan', points: 10, tier: 'bronze' })
  const { current } = queries
  mockFetch({ 'GET /api/auth/status': null })
  const refused = (code: string) =>
    current
      .getMutationCache()
      .build(current, { mutationFn: () => Promise.reject(new ApiError(401, code, 'No.')) })
      .execute(undefined)
      .catch(() => undefined)
  await refused('bad_credentials')
  expect(current.getQueryState(authStatus.queryKey)?.fetchStatus).toBe('idle')
  await refused('signed_out')
  expect(await screen.findByRole('link', { name: 'Sign Up / Login' })).toBeTruthy()
})

test('ignores points in a visitor’s response', async () => {
  await bar(null)
  const { current } = queries
  await current
    .getMutationCache()
    .build(current, { mutationFn: async () => ({ totalPoints: 5 }) })
    .execute(undefined)
  expect(current.getQueryData(authStatus.queryKey)).toBe(null)
})

test('links the artist’s name to the home page', async () => {
  expect((await bar(null))('Some Body')).toBe('/')
})

test.each([
  ['/#merch', [{ top: 0 }]],
  ['/', [{ top: 0 }]],
  ['/privacy-policy', [{ top: 0, left: 0, behavior: 'instant' }]],
])('scrolls once to the top of the home page from %s', async (path, scrolls) => {
  const { router } = await renderApp(path, { 'GET /api/config': buildSite(), 'GET /api/auth/status': null })
  const name = await screen.findByRole('link', { name: 'The Artist' })
  const scrollTo = vi.fn()
  vi.stubGlobal('scrollTo', scrollTo)
  await act(async () => void fireEvent.click(name))
  await waitFor(() => expect(router.state.location.href).toBe('/'))
  await waitFor(() => expect(scrollTo.mock.calls.flat()).toEqual(scrolls))
})
