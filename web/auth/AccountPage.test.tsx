import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildAccount, buildSupporter } from '../testing/supporter.fixture'

const openAccount = (changes = {}) =>
  renderApp('/account', {
    'GET /api/config': buildSite({
      tiers: [{ id: 'gold', name: 'Gold', priceCents: 3500, features: [], popular: false }],
    }),
    'GET /api/auth/status': buildSupporter({ tier: 'gold' }),
    'GET /api/account': buildAccount(),
    ...changes,
  })

test('names the tier and links to the tiers', async () => {
  await openAccount()
  expect((await screen.findByRole('link', { name: 'Gold tier' })).getAttribute('href')).toBe('/subscribe')
})

test('keeps the leaderboard choice focusable while it is saved', async () => {
  const { sent } = await openAccount({ 'PATCH /api/account': () => new Promise<never>(() => {}) })
  const choice = await screen.findByRole<HTMLInputElement>('checkbox', { name: /Show me on the leaderboard/ })
  fireEvent.click(choice)
  await waitFor(() => expect(sent.filter((line) => line.startsWith('PATCH'))).toHaveLength(1))
  fireEvent.click(choice)
  expect([choice.disabled, sent.filter((line) => line.startsWith('PATCH')).length]).toEqual([false, 1])
})
