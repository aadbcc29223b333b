import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aSite } from '../testing/a-site'
import { aSupporter } from '../testing/a-supporter'
import { answering, show } from '../testing/render'
import { ZoneSection } from './ZoneSection'

const tier = (id: 'bronze' | 'silver' | 'gold') => ({ id, name: id, priceCents: 0, features: [], popular: false })

test.each([
  [null, ['Current Plan', 'Choose silver', 'Choose gold']],
  [aSupporter({ tier: 'bronze' }), ['Current Plan', 'Choose silver', 'Choose gold']],
  [aSupporter({ tier: 'silver' }), ['Included', 'Current Plan', 'Choose gold']],
  [aSupporter({ tier: 'gold' }), ['Included', 'Included', 'Current Plan']],
])('for %j the cards say what is theirs and what they can choose', async (me, words) => {
  answering({
    'GET /api/config': aSite({ tiers: [tier('bronze'), tier('silver'), tier('gold')] }),
    'GET /api/auth/status': () => Response.json(me),
  })
  await show(<ZoneSection />)
  await waitFor(() =>
    expect(screen.getAllByRole('article').map((card) => card.querySelector('a, button')?.textContent)).toEqual(words),
  )
})
