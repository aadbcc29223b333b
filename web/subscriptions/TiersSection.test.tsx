import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
import { TiersSection } from './TiersSection'

const buildTier = (id: 'bronze' | 'silver' | 'gold') => ({ id, name: id, priceCents: 0, features: [], popular: false })

test.each([
  ['visitor', null, ['Current Plan', 'Choose silver', 'Choose gold']],
  ['bronze supporter', buildSupporter({ tier: 'bronze' }), ['Current Plan', 'Choose silver', 'Choose gold']],
  ['silver supporter', buildSupporter({ tier: 'silver' }), ['Included', 'Current Plan', 'Choose gold']],
  ['gold supporter', buildSupporter({ tier: 'gold' }), ['Included', 'Included', 'Current Plan']],
])('shows a %s the current plan and the choices', async (_caller, me, labels) => {
  mockFetch({
    'GET /api/config': buildSite({ tiers: [buildTier('bronze'), buildTier('silver'), buildTier('gold')] }),
    'GET /api/auth/status': () => Response.json(me),
  })
  await renderWithProviders(<TiersSection />)
  await waitFor(() =>
    expect(screen.getAllByRole('article').map((card) => card.querySelector('a, button')?.textContent)).toEqual(labels),
  )
})
