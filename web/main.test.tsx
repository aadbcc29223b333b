import { screen } from '@testing-library/react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from './render'
import { mockFetch } from './testing/render'
import { buildSite } from './testing/site.fixture'

const begun = vi.hoisted(() => Promise.withResolvers<Root>())
vi.mock('react-dom/client', async (load) => {
  const real = await load<typeof import('react-dom/client')>()
  const hydrateRoot: typeof real.hydrateRoot = (...given) => {
    const root = real.hydrateRoot(...given)
    begun.resolve(root)
    return root
  }
  return { ...real, hydrateRoot }
})

// React works by itself here, slice by slice, as it does in a browser.
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterEach(() => vi.unstubAllGlobals())

test('replays a press from before hydration', async () => {
  mockFetch({ 'GET /api/auth/status': null })
  history.replaceState(null, '', '/subscribe')
  const gold = { id: 'gold' as const, name: 'Gold', priceCents: 1500, features: ['All'], popular: false }
  const { html, state } = await render('/subscribe', { config: buildSite({ tiers: [gold] }), drawnAt: 0 })
  document.body.innerHTML = `<div id="root">${html}</div><script id="state" type="application/json"></script>`
  document.getElementById('state')!.textContent = JSON.stringify(state)
  const button = screen.getByRole('button', { name: 'Subscribe to Gold' })

  await import('./main')
  const root = await begun.promise
  expect(Object.keys(button).filter((mark) => mark.startsWith('__react'))).toEqual([])
  button.click()
  expect(await screen.findByText('Coming Soon!', undefined, { timeout: 4000 })).toBeDefined()
  // Hydrated, not rendered again.
  expect(button.isConnected).toBe(true)
  root.unmount()
})
