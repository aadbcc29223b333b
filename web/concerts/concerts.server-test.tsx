import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hallOfFame } from '../challenge/challenge.queries'
import { allProducts } from '../merch/products.queries'
import { newQueries } from '../queries'
import { newRouter } from '../routes'
import { siteConfig } from '../site/site.queries'
import { aShow } from '../testing/a-show'
import { aSite } from '../testing/a-site'
import { upcomingConcerts } from './concerts.queries'

test('the lower half of the home page is rendered, with its data, where there is no window', async () => {
  expect(typeof window).toBe('undefined')
  const queries = newQueries()
  queries.setQueryData(siteConfig.queryKey, aSite())
  queries.setQueryData(upcomingConcerts.queryKey, [aShow()])
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
