import type { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../api/call'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { mockFetch, renderApp, renderWithProviders } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { NavBar } from './NavBar'

const SUPPORTER = { username: 'fan', points: 10, tier: 'bronze' }

async function renderNavBar(me: unknown) {
  mockFetch({})
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, me as never)
  queryClient.setQueryData(['config'], { artist: { name: 'Some Body', links: { contact: '' } } })
  await renderWithProviders(<NavBar />, { queryClient })
  return queryClient
}
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
const pointsText = () => screen.getByText('Your points:').parentElement?.textContent
const runMutation = (queryClient: QueryClient, mutationFn: () => Promise<unknown>) =>
  queryClient.getMutationCache().build(queryClient, { mutationFn }).execute(undefined)

test('shows visitors zero points and a login link', async () => {
  await renderNavBar(null)
  expect(pointsText()).toBe('Your points:0')
  expect(hrefOf('Sign Up / Login')).toBe('/login')
})

test('shows neither login nor points while the session loads', async () => {
  mockFetch({ 'GET /api/auth/status': () => new Promise<never>(() => {}) })
  await renderWithProviders(<NavBar />)
  expect(screen.queryByRole('link', { name: /Login|Subscribe/ })).toBeNull()
  const [placeholder] = screen.getAllByText('Sign Up / Login')
  expect(placeholder?.className).toContain('invisible')
  expect(screen.getByText('Your points:').parentElement?.className).toContain('invisible')
})

test('shows the login link when the session cannot be read', async () => {
  mockFetch({})
  await renderWithProviders(<NavBar />)
  expect(await screen.findByRole('link', { name: 'Sign Up / Login' })).toBeTruthy()
})

test('shows supporters their points and a subscribe link', async () => {
  await renderNavBar({ ...SUPPORTER, points: 1285 })
  expect(pointsText()).toBe('Your points:1,285')
  expect(hrefOf('Subscribe')).toBe('/subscribe')
})

test('shows the points of a mutation’s response at once', async () => {
  const queryClient = await renderNavBar(SUPPORTER)
  const respond = (response: unknown) => runMutation(queryClient, async () => response)
  await respond({ pointsAwarded: 10, totalPoints: 20 })
  await waitFor(() => expect(pointsText()).toBe('Your points:20'))
  for (const responseWithoutTotal of [{ pointsAwarded: 5 }, undefined, 'text', null])
    await respond(responseWithoutTotal)
  await respond({ pointsAwarded: -5, totalPoints: 15 })
  await waitFor(() => expect(pointsText()).toBe('Your points:15'))
})

test('shows the login link after a signed_out error', async () => {
  const queryClient = await renderNavBar(SUPPORTER)
  mockFetch({ 'GET /api/auth/status': null })
  const fail = (code: string) =>
    runMutation(queryClient, () => Promise.reject(new ApiError(401, code, 'No.'))).catch(() => undefined)
  await fail('bad_credentials')
  expect(queryClient.getQueryState(sessionQuery.queryKey)?.fetchStatus).toBe('idle')
  await fail('signed_out')
  expect(await screen.findByRole('link', { name: 'Sign Up / Login' })).toBeTruthy()
})

test('ignores points in a visitor’s response', async () => {
  const queryClient = await renderNavBar(null)
  await runMutation(queryClient, async () => ({ totalPoints: 5 }))
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBe(null)
})

test('links the artist’s name to the home page', async () => {
  await renderNavBar(null)
  expect(hrefOf('Some Body')).toBe('/')
})

test.each([
  ['/#merch', [{ top: 0 }]],
  ['/', [{ top: 0 }]],
  ['/privacy-policy', [{ top: 0, left: 0, behavior: 'instant' }]],
])('scrolls once to the home page’s top from %s', async (path, scrolls) => {
  const { router } = await renderApp(path, { 'GET /api/config': buildSite(), 'GET /api/auth/status': null })
  const nameLink = await screen.findByRole('link', { name: 'The Artist' })
  const scrollTo = vi.fn()
  vi.stubGlobal('scrollTo', scrollTo)
  await act(async () => void fireEvent.click(nameLink))
  await waitFor(() => expect(router.state.location.href).toBe('/'))
  await waitFor(() => expect(scrollTo.mock.calls.flat()).toEqual(scrolls))
})
