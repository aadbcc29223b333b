import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { subscribeSearch } from './search'

const tier = (id: 'bronze' | 'silver' | 'gold', popular: boolean) => ({
  id,
  name: id,
  priceCents: 1500,
  features: [`${id} things`],
  popular,
})
const site = buildSite({ tiers: [tier('bronze', false), tier('silver', true), tier('gold', false)] })

const open = (path: string) => renderApp(path, { 'GET /api/config': site, 'GET /api/auth/status': null })

test.each([
  ['silver', 'silver'],
  ['gold', 'gold'],
  ['vip', 'gold'],
])('?tier=%s marks %s and focuses its button', async (param, marked) => {
  await open(`/subscribe?tier=${param}`)
  const button = await screen.findByRole('button', { name: `Subscribe to ${marked}` })
  expect(document.activeElement).toBe(button)
  expect(button.closest('article')?.dataset.chosen).toBe('true')
})

test('marks no tier without the parameter', async () => {
  await open('/subscribe')
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => card.dataset.chosen)).toEqual([undefined, undefined])
  expect(screen.getByText('Most Popular').closest('article')).toBe(cards[0])
})

test('announces subscriptions while they are disabled', async () => {
  await open('/subscribe')
  fireEvent.click(await screen.findByRole('button', { name: 'Subscribe to gold' }))
  // The viewport's code is fetched with the first toast.
  expect(await screen.findByText('Coming Soon!', undefined, { timeout: 4000 })).toBeDefined()
  expect(screen.getByText('Subscription payments will be available soon.')).toBeDefined()
})

test.each([[{ tier: 'bronze' }], [{ tier: 7 }], [{ tier: ['gold'] }], [{}]])('ignores the search %o', (search) => {
  expect(subscribeSearch(search)).toEqual({})
})
