import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aChallenge } from '../testing/a-challenge'
import { aShow } from '../testing/a-show'
import { aSite } from '../testing/a-site'
import { answering, show } from '../testing/render'
import { ConcertsSection } from './ConcertsSection'

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

const farSide = { 'GET /api/config': aSite(), 'GET /api/concerts/upcoming': [aShow({ price: '25.00', hasVip: true })] }

test('the next show stands on the banner with its calendar link, file and directions', async () => {
  answering(farSide)
  await show(<ConcertsSection />)
  const banner = within(await screen.findByRole('article', { name: 'NEXT SHOW' }))
  expect(banner.getByText('Saturday, November 28, 2026')).toBeDefined()
  const calendar = banner.getByRole('link', { name: 'Add to Calendar' })
  await waitFor(() => expect(calendar.getAttribute('href')).toContain('text=The+Artist+live+at+The+Quay'))
  expect(banner.getByRole('link', { name: 'Get Directions' }).getAttribute('href')).toContain('/maps/search/')
  expect(banner.getByRole('link', { name: 'Calendar file' }).getAttribute('href')).toBe('/api/concerts/quay/event.ics')
})

test('a line of the poster leads to the show’s own page', async () => {
  answering(farSide)
  await show(<ConcertsSection />)
  const line = await screen.findByRole('link', { name: /November 28, 2026.*Tampa.*\$25.*The Quay.*VIP Available/ })
  expect(line.getAttribute('href')).toBe('/shows/quay')
})

test('without a show the section says so and still takes wishes', async () => {
  answering({ ...farSide, 'GET /api/concerts/upcoming': [] })
  await show(<ConcertsSection />)
  expect(await screen.findByText('No dates yet')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Request a City' })).toBeDefined()
  expect(screen.queryByText('NEXT SHOW')).toBeNull()
})

test('without a past challenge there is no hall of fame', async () => {
  answering(farSide)
  await show(<ConcertsSection />)
  await screen.findByText('NEXT SHOW')
  await waitFor(() => expect(document.getElementById('hall-of-fame')).toBeNull())
})

test('before there is a hall of fame the first challenge has a band that leads to it', async () => {
  // Nothing is drawn here, so that everything is near.
  vi.stubGlobal('IntersectionObserver', NearObserver)
  answering({
    ...farSide,
    'GET /api/challenge': () => new Response('None yet.', { status: 404, headers: { 'x-error-code': 'not_found' } }),
    'GET /api/challenge/current': aChallenge(),
  })
  await show(<ConcertsSection />)
  const band = within(await screen.findByRole('region', { name: 'Sixteen Bars' }))
  expect(band.getByText(/^Send yours until/)).toBeTruthy()
  expect(band.getByRole('link', { name: 'To the verse challenge' }).getAttribute('href')).toBe('/challenge')
})
