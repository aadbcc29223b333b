import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hoursFromNow } from '../testing/hours-from-now'
import { errorResponse, mockFetch, renderWithProviders } from '../testing/render'
import { buildShow } from '../testing/show.fixture'
import { buildSite } from '../testing/site.fixture'
import { ShowsPage } from './ShowsPage'

const first = buildShow({ id: 'first', slug: 'first', venue: 'First Hall', endsAt: hoursFromNow(-48) })
const second = buildShow({ id: 'second', slug: 'second', venue: 'Second Hall', endsAt: hoursFromNow(-24) })
const next = buildShow({ id: 'next', slug: 'next', venue: 'Next Hall', endsAt: hoursFromNow(24) })

test.each([
  ['upcoming shows', [next]],
  ['an error instead of the upcoming shows', () => errorResponse(500, 'internal', 'No.')],
])('lists past shows, latest first, with %s', async (_, upcoming) => {
  mockFetch({
    'GET /api/config': buildSite(),
    'GET /api/concerts/upcoming': upcoming,
    'GET /api/concerts': [first, second, next],
  })
  await renderWithProviders(<ShowsPage />)
  const played = within(screen.getByRole('region', { name: 'Played' }))
  await played.findAllByRole('link')
  expect(played.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/shows/second',
    '/shows/first',
  ])
})
