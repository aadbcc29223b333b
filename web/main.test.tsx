import { screen } from '@testing-library/react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from './render'
import { mockFetch } from './testing/render'
import { buildSite } from './testing/site.fixture'

const hydrated = vi.hoisted(() => Promise.withResolvers<Root>())
vi.mock('react-dom/client', async (load) => {
  const actualModule = await load<typeof import('react-dom/client')>()
  const hydrateRoot: typeof actualModule.hydrateRoot = (...args) => {
    const root = actualModule.hydrateRoot(...args)
    hydrated.resolve(root)
    return root
  }
  return { ...actualModule, hydrateRoot }
})

// Without `act`, React schedules its work as in a browser.
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterEach(() => vi.unstubAllGlobals())

test('replays a click made before hydration', async () => {
  mockFetch({ 'GET /api/auth/status': null })
  history.replaceState(null, '', '/subscribe')
  const gold = { id: 'gold' as const, name: 'Gold', priceCents: 1500, features: ['All'], popular: false }
  const { html, state } = await render('/subscribe', { config: buildSite({ tiers: [gold] }), hydrationTime: 0 })
  document.body.innerHTML = `<div id="root">${html}</div><script id="state" type="application/json"></script>`
  document.getElementById('state')!.textContent = JSON.stringify(state)
  const button = screen.getByRole('button', { name: 'Subscribe to Gold' })

  await import('./main')
  const root = await hydrated.promise
  // React has not hydrated the button yet.
  expect(Object.keys(button).filter((key) => key.startsWith('__react'))).toEqual([])
  button.click()
  expect(await screen.findByText('Coming Soon!', undefined, { timeout: 4000 })).toBeDefined()
  // Hydration reuses the server-rendered button.
  expect(button.isConnected).toBe(true)
  root.unmount()
})
