import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import {
  ChallengePreview,
  MissionPreview,
  PollPreview,
  ProductPreview,
  ShowPreview,
  SocialPostPreview,
  TierPostPreview,
  TierPreview,
  TrackPreview,
} from './form-previews'

const render = async (preview: ReactNode) => {
  mockFetch({})
  await renderWithProviders(preview)
}

test('every preview shows an empty form', async () => {
  await render(
    <>
      <ShowPreview draft={{}} />
      <ProductPreview draft={{}} />
      <TrackPreview draft={{}} />
      <PollPreview draft={{}} />
      <TierPostPreview draft={{}} />
      <TierPreview draft={{}} id="silver" />
      <MissionPreview draft={{}} />
      <SocialPostPreview draft={{}} />
      <ChallengePreview draft={{}} />
    </>,
  )
  for (const text of ['Venue', 'First option', 'Your post', 'Choose Name', 'Description', 'Prize'])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
})

test('a show is previewed while its time zone is typed', async () => {
  await render(<ShowPreview draft={{ venue: 'Ruby Room', date: '2027-02-05', timeZone: 'America/N' }} />)
  expect(screen.getByText('Ruby Room')).toBeDefined()
  expect(screen.getByText('8:00 PM to 11:00 PM UTC')).toBeDefined()
})

test('a product costs its cheapest variant', async () => {
  const variant = { options: {}, sku: '', minimumCents: null, weightGrams: 0, imageUrl: '' as const, releaseSlug: null }
  const variants = [2500, 1900].map((priceCents) => ({ ...variant, trackId: null, items: [], stock: 0, priceCents }))
  await render(<ProductPreview draft={{ name: 'Hoodie', variants }} />)
  expect(screen.getByText('$19.00')).toBeDefined()
  expect(screen.getByText('Sold out')).toBeDefined()
})
