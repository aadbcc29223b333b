import { expect, test } from 'vitest'
import { PAGES } from '../worker/contract/pages'
import type { Product } from '../worker/contract/products'
import { render } from './render'
import { buildVariant } from './testing/product.fixture'
import { buildRelease } from './testing/release.fixture'
import { buildShow } from './testing/show.fixture'
import { buildSite } from './testing/site.fixture'
import { buildTrack } from './testing/track.fixture'

test('runs without a window', () => {
  expect(typeof window).toBe('undefined')
})

test.each([...PAGES, '/no/such/page'])('renders %s on a server without data', async (path) => {
  expect((await render(path)).html).toContain('id="content"')
})

test('renders the sections of the home page without data', async () => {
  const { html } = await render('/')
  for (const id of ['music', 'merch', 'concerts', 'exclusive', 'smart-features']) expect(html).toContain(`id="${id}"`)
})

test('renders the data of the home page', async () => {
  const product: Product = {
    id: 'clip',
    slug: 'sun-clip',
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
    kind: 'shipped',
    releasesAt: null,
    sizeGuide: '',
    variants: [buildVariant({ priceCents: 1999, stock: 9 })],
  }
  const { html } = await render('/', {
    config: buildSite(),
    tracks: [buildTrack({ title: 'First Light' })],
    physicalProducts: [product],
    upcomingConcerts: [buildShow()],
    latestResult: null,
  })
  const musicAndMerch = ['#verse', 'Of the town', 'First Light', 'Sun Clip', '$19.99', 'few left']
  const concertsAndHub = [
    'Live Shows',
    'NEXT SHOW',
    'November',
    'The Zone',
    'Supporter Hub',
    'vibes. Unsubscribe anytime.',
  ]
  for (const text of [...musicAndMerch, ...concertsAndHub]) expect(html).toContain(text)
})

test.each([
  ['/music', 'July 1, 2026'],
  ['/music/a-record', 'Play Release'],
  ['/music/a-record/first-light', 'Appears on'],
])('renders the data of %s', async (path, text) => {
  const { html } = await render(path, { config: buildSite(), releases: [buildRelease()], release: buildRelease() })
  expect(html).toContain(text)
})

test('shows the minimum age at sign-up', async () => {
  expect((await render('/signup')).html.replace(/<!-- -->/g, '')).toContain('you confirm that you are 13 or older')
})
