import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hallOfFame } from '../challenge/hall-of-fame.queries'
import { allProducts } from '../products/products.queries'
import { newQueries } from '../queries'
import { newRouter } from '../routes'
import { siteConfig } from '../site/site.queries'
import { buildShow } from '../testing/show.fixture'
import { buildSite } from '../testing/site.fixture'
import { upcomingConcerts } from './concerts.queries'

test('renders the lower half of the home page without a window', async () => {
  expect(typeof window).toBe('undefined')
  const queries = newQueries()
  queries.setQueryData(siteConfig.queryKey, buildSite())
  queries.setQueryData(upcomingConcerts.queryKey, [buildShow()])
  queries.setQueryData(allProducts.queryKey, [])
  queries.setQueryData(hallOfFame.queryKey, null)
  const router = newRouter(queries, createMemoryHistory({ initialEntries: ['/'] }))
  await router.load()
  const html = renderToString(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  for (const text of [
    'Live Shows',
    'NEXT SHOW',
    'November',
    'The Zone',
    'Supporter Hub',
    'vibes. Unsubscribe anytime.',
  ])
    expect(html).toContain(text)
})
