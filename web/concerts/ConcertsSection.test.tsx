import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildChallenge } from '../testing/challenge.fixture'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildShow } from '../testing/show.fixture'
import { buildSite } from '../testing/site.fixture'
import { ConcertsSection } from './ConcertsSection'
// What is fetched lazily is here before a test waits for it.
import '../challenge/lazy-pages'

class NearObserver {
  #told: (entries: { isIntersecting: boolean }[]) => void
  constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
    this.#told = told
  }
  observe() {
    this.#told([{ isIntersecting: true }])
  }
  disconnect() {}
}

const farSide = {
  'GET /api/config': buildSite(),
  'GET /api/concerts/upcoming': [buildShow({ price: '25.00', hasVip: true })],
}

test('shows the next show with calendar links and directions', async () => {
  mockFetch(farSide)
  await renderWithProviders(<ConcertsSection />)
  const banner = within(await screen.findByRole('article', { name: 'NEXT SHOW' }))
  expect(banner.getByText('Saturday, November 28, 2026')).toBeDefined()
  const calendar = banner.getByRole('link', { name: 'Add to Calendar' })
  await waitFor(() => expect(calendar.getAttribute('href')).toContain('text=The+Artist+live+at+The+Quay'))
  expect(banner.getByRole('link', { name: 'Get Directions' }).getAttribute('href')).toContain('/maps/search/')
  expect(banner.getByRole('link', { name: 'Calendar file' }).getAttribute('href')).toBe('/api/concerts/quay/event.ics')
})

test('links a poster line to the show’s page', async () => {
  mockFetch(farSide)
  await renderWithProviders(<ConcertsSection />)
  const line = await screen.findByRole('link', { name: /November 28, 2026.*Tampa.*\$25.*The Quay.*VIP Available/ })
  expect(line.getAttribute('href')).toBe('/shows/quay')
})

test('takes city requests without an upcoming show', async () => {
  mockFetch({ ...farSide, 'GET /api/concerts/upcoming': [] })
  await renderWithProviders(<ConcertsSection />)
  expect(await screen.findByText('No dates yet')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Request a City' })).toBeDefined()
  expect(screen.queryByText('NEXT SHOW')).toBeNull()
})

const NONE_YET = () => new Response('None yet.', { status: 404, headers: { 'x-error-code': 'not_found' } })
const PAST = {
  id: 'old',
  title: 'Old Bars',
  winner: 'High Water',
  date: '2025-07-20',
  totalVotes: 10,
  totalSubmissions: 2,
  winnerVotes: 7,
  prize: 'A day in the studio',
  timeline: [],
  finalists: [],
  tally: { url: '/t', sha256: '', excluded: 0 },
}

test('renders an anchor without a past challenge', async () => {
  mockFetch({ ...farSide, 'GET /api/challenge': NONE_YET })
  await renderWithProviders(<ConcertsSection />)
  await screen.findByText('NEXT SHOW')
  await waitFor(() => expect(screen.queryByText('Hall of fame')).toBeNull())
  const place = document.getElementById('hall-of-fame')
  expect(place?.textContent).toBe('')
  expect(place?.getAttribute('tabindex')).toBe('-1')
})

test('shows the current challenge above the past winner', async () => {
  vi.stubGlobal('IntersectionObserver', NearObserver)
  mockFetch({ ...farSide, 'GET /api/challenge': PAST, 'GET /api/challenge/current': buildChallenge() })
  await renderWithProviders(<ConcertsSection />)
  const band = within(await screen.findByRole('region', { name: 'Sixteen Bars' }))
  expect(band.getByText('Verse challenge · Verses wanted')).toBeTruthy()
  expect(band.getByText('Verses').parentElement?.textContent).toMatch(/^VersesAugust 1\s–\s10, 2026$/)
  expect(band.getByText('Winner').parentElement?.textContent).toBe('WinnerAugust 16, 2026')
  expect(band.getByRole('link', { name: 'Send your verse' }).getAttribute('href')).toBe('/challenge')
  expect(screen.getByRole('region', { name: 'Old Bars' })).toBeTruthy()
})

test.each([
  ['the one on the plaque', buildChallenge({ id: 'old', title: 'Next Bars', state: 'voting' })],
  ['decided', buildChallenge({ title: 'Next Bars', state: 'published' })],
])('a challenge that is %s has no band', async (_, current) => {
  vi.stubGlobal('IntersectionObserver', NearObserver)
  const { sent } = mockFetch({ ...farSide, 'GET /api/challenge': PAST, 'GET /api/challenge/current': current })
  await renderWithProviders(<ConcertsSection />)
  await screen.findByRole('region', { name: 'Old Bars' })
  await waitFor(() => expect(sent).toContain('GET /api/challenge/current'))
  await expect(screen.findByText('Next Bars', undefined, { timeout: 200 })).rejects.toThrow()
})

test('links to the first challenge without a past one', async () => {
  // Nothing is drawn here, so that everything is near.
  vi.stubGlobal('IntersectionObserver', NearObserver)
  mockFetch({
    ...farSide,
    'GET /api/challenge': NONE_YET,
    'GET /api/challenge/current': buildChallenge(),
  })
  await renderWithProviders(<ConcertsSection />)
  const band = within(await screen.findByRole('region', { name: 'Sixteen Bars' }))
  expect(band.getByText(/^Send yours until/)).toBeTruthy()
  expect(band.getByRole('link', { name: 'Send your verse' }).getAttribute('href')).toBe('/challenge')
})
