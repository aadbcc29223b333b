import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderApp } from './testing/render'
import { buildSite } from './testing/site.fixture'

const RESPONSES = {
  'GET /api/config': buildSite(),
  'GET /api/auth/status': null,
  'GET /api/releases': [],
}
const openPolicy = () => renderApp('/privacy-policy', RESPONSES)

afterEach(() => vi.unstubAllGlobals())

test('a preloaded page requests its data once', async () => {
  const { sent, router } = await openPolicy()
  expect(sent).not.toContain('GET /api/releases')
  await router.preloadRoute({ to: '/music' })
  await waitFor(() => expect(sent).toContain('GET /api/releases'))
  await router.preloadRoute({ to: '/music' })
  await router.navigate({ to: '/music' })
  await screen.findByRole('heading', { level: 1, name: 'Music' })
  expect(sent.filter((request) => request === 'GET /api/releases')).toHaveLength(1)
})

const homeLink = () => screen.findByRole('link', { name: 'The Artist' })

test('touching a link requests its page’s data', async () => {
  const { sent } = await openPolicy()
  fireEvent.touchStart(await homeLink())
  await waitFor(() => expect(sent).toContain('GET /api/tracks'))
})

test('preloads nothing when the data saver is on', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  // The router reads the setting when it is created.
  const { sent } = await openPolicy()
  Reflect.deleteProperty(navigator, 'connection')
  const link = await homeLink()
  const before = sent.length
  fireEvent.touchStart(link)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent).toHaveLength(before)
})

test('preloading the dashboard sends no admin request', async () => {
  const { sent, router } = await openPolicy()
  await router.preloadRoute({ to: '/admin', search: {} })
  expect(sent.filter((request) => request.includes('admin'))).toEqual([])
})
