import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SiteConfig } from '../../worker/contract/site'
import { authStatus } from '../auth/auth.queries'
import { allProducts } from '../products/products.queries'
import { newQueries } from '../queries'
import { newRouter } from '../routes'
import { siteConfig } from '../site/site.queries'
import { buildTrack } from '../testing/track.fixture'
import { allTracks } from '../tracks/tracks.queries'

const link = 'https://elsewhere.example'
const site: SiteConfig = {
  artist: {
    name: 'Some Body',
    tagline: 'From the bay',
    city: 'Tampa',
    hashtag: '#SomeVerse',
    links: {
      instagram: link,
      tiktok: link,
      youtube: link,
      spotify: link,
      appleMusic: link,
      youtubeMusic: link,
      broadcast: link,
      contact: link,
    },
    lyric: 'A line.',
    socialPosts: [],
    heroUrl: '/media/a/hero.webp',
    heroPortraitUrl: '/media/a/tall.webp',
    heroAlt: 'A bay.',
  },
  tiers: [],
  demo: false,
  demoAdmin: null,
  payments: 'off',
  stripePublishableKey: null,
  subscriptions: false,
  google: false,
}

async function rendered(fill: (queries: ReturnType<typeof newQueries>) => void) {
  const queries = newQueries()
  fill(queries)
  const router = newRouter(queries, createMemoryHistory({ initialEntries: ['/'] }))
  await router.load()
  return renderToString(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

test('the home page renders where there is no window, before anything is fetched', async () => {
  expect('window' in globalThis).toBe(false)
  const html = await rendered(() => {})
  for (const id of ['music', 'merch', 'concerts', 'exclusive', 'smart-features']) expect(html).toContain(`id="${id}"`)
})

test('what is known already is in the page that the server writes', async () => {
  const html = await rendered((queries) => {
    queries.setQueryData(siteConfig.queryKey, site)
    queries.setQueryData(authStatus.queryKey, null)
    queries.setQueryData(allTracks.queryKey, [buildTrack({ title: 'First Light' })])
    queries.setQueryData(allProducts.queryKey, [
      {
        id: 'clip',
        name: 'Sun Clip',
        description: 'Small.',
        price: 19.99,
        priceCents: 1999,
        imageUrl: '/media/a/clip.webp',
        images: [{ url: '/media/a/clip.webp', alt: 'A clip.' }],
        stock: 9,
        checkoutUrl: '',
        isFeatured: true,
        ships: true,
      },
    ])
  })
  for (const text of ['#SomeVerse', 'From the bay', 'First Light', 'Sun Clip', '$19.99', 'few left'])
    expect(html).toContain(text)
  expect(html).toContain('src="/api/tracks/1/audio"')
})
