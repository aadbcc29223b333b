import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildChallenge } from '../testing/challenge.fixture'
import { errorResponse, mockFetch, renderWithProviders } from '../testing/render'
import { buildShow } from '../testing/show.fixture'
import { buildSite } from '../testing/site.fixture'
import { ConcertsSection } from './ConcertsSection'
// Preloads lazy pages, which could load for longer than a test waits.
import '../challenge/lazy-pages'

// Reports every section as near the viewport, because happy-dom has no layout.
class NearObserver {
  readonly observe: () => void
  constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
    this.observe = () => notify([{ isIntersecting: true }])
  }
  disconnect() {}
}

const responses = {
  'GET /api/config': buildSite(),
  'GET /api/concerts/upcoming': [buildShow({ price: '25.00', hasVip: true })],
}

test('shows the next show with calendar links and directions', async () => {
  mockFetch(responses)
  await renderWithProviders(<ConcertsSection />)
  const nextShow = within(await screen.findByRole('article', { name: 'NEXT SHOW' }))
  expect(nextShow.getByText('Saturday, November 28, 2026')).toBeDefined()
  const calendar = nextShow.getByRole('link', { name: 'Add to Calendar' })
  await waitFor(() => expect(calendar.getAttribute('href')).toContain('text=The+Artist+live+at+The+Quay'))
  expect(nextShow.getByRole('link', { name: 'Get Directions' }).getAttribute('href')).toContain('/maps/search/')
  expect(nextShow.getByRole('link', { name: 'Calendar file' }).getAttribute('href')).toBe(
    '/api/concerts/quay/event.ics',
  )
})

test('links each row of the tour poster to its show', async () => {
  mockFetch(responses)
  await renderWithProviders(<ConcertsSection />)
  const row = await screen.findByRole('link', { name: /November 28, 2026.*Tampa.*\$25.*The Quay.*VIP Available/ })
  expect(row.getAttribute('href')).toBe('/shows/quay')
})

test('takes city requests without an upcoming show', async () => {
  mockFetch({ ...responses, 'GET /api/concerts/upcoming': [] })
  await renderWithProviders(<ConcertsSection />)
  expect(await screen.findByText('No dates yet')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Request a City' })).toBeDefined()
  expect(screen.queryByText('NEXT SHOW')).toBeNull()
})

const notFound = () => errorResponse(404, 'not_found', 'None yet.')
const pastChallenge = {
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

test('without a past challenge, renders an empty anchor', async () => {
  mockFetch({ ...responses, 'GET /api/challenge': notFound })
  await renderWithProviders(<ConcertsSection />)
  await screen.findByText('NEXT SHOW')
  await waitFor(() => expect(screen.queryByText('Hall of fame')).toBeNull())
  const anchor = document.getElementById('hall-of-fame')
  expect(anchor?.textContent).toBe('')
  expect(anchor?.getAttribute('tabindex')).toBe('-1')
})

test('shows the current challenge above the past winner', async () => {
  vi.stubGlobal('IntersectionObserver', NearObserver)
  mockFetch({ ...responses, 'GET /api/challenge': pastChallenge, 'GET /api/challenge/current': buildChallenge() })
  await renderWithProviders(<ConcertsSection />)
  const banner = within(await screen.findByRole('region', { name: 'Sixteen Bars' }))
  expect(banner.getByText('Verse challenge · Verses wanted')).toBeTruthy()
  expect(banner.getByText('Verses').parentElement?.textContent).toMatch(/^VersesAugust 1\s–\s10, 2026$/)
  expect(banner.getByText('Winner').parentElement?.textContent).toBe('WinnerAugust 16, 2026')
  expect(banner.getByRole('link', { name: 'Send your verse' }).getAttribute('href')).toBe('/challenge')
  expect(screen.getByRole('region', { name: 'Old Bars' })).toBeTruthy()
})

test('does not announce a challenge whose result is published', async () => {
  vi.stubGlobal('IntersectionObserver', NearObserver)
  const { sent } = mockFetch({
    ...responses,
    'GET /api/challenge': pastChallenge,
    'GET /api/challenge/current': buildChallenge({ title: 'Next Bars', state: 'published' }),
  })
  await renderWithProviders(<ConcertsSection />)
  await screen.findByRole('region', { name: 'Old Bars' })
  await waitFor(() => expect(sent).toContain('GET /api/challenge/current'))
  await expect(screen.findByText('Next Bars', undefined, { timeout: 200 })).rejects.toThrow()
})

test('announces the first challenge', async () => {
  vi.stubGlobal('IntersectionObserver', NearObserver)
  mockFetch({
    ...responses,
    'GET /api/challenge': notFound,
    'GET /api/challenge/current': buildChallenge(),
  })
  await renderWithProviders(<ConcertsSection />)
  const banner = within(await screen.findByRole('region', { name: 'Sixteen Bars' }))
  expect(banner.getByText(/^Send yours by/)).toBeTruthy()
  expect(banner.getByRole('link', { name: 'Send your verse' }).getAttribute('href')).toBe('/challenge')
})
