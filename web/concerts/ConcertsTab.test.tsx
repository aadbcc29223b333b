import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminConcert } from '../../worker/contract/admin-content'
import { mockFetch, renderWithProviders } from '../testing/render'
import { ConcertsTab } from './ConcertsTab'

const latest: AdminConcert = {
  id: 'c1',
  date: '2026-11-01',
  startTime: '21:00',
  endTime: '23:30',
  timeZone: 'America/Chicago',
  city: 'Austin',
  venue: 'Mohawk',
  address: '912 Red River St, Austin, TX 78701',
  region: 'TX',
  postalCode: '78701',
  country: 'US',
  slug: 'mohawk-austin-2026-11-01',
  priceCents: 2500,
  ticketsAvailable: 12,
  isSoldOut: true,
  hasVip: true,
  imageUrl: '/media/uploads/a.webp',
  imageAlt: 'The stage in red light.',
  version: 4,
}

test('a new show copies hours and price from the latest', async () => {
  const { sent } = mockFetch({
    'GET /api/admin/concerts': [],
    'GET /api/admin/concerts?sort=-date': [latest],
    'GET /api/admin/city-demand': [],
    'POST /api/admin/concerts': { id: 'c2' },
  })
  await renderWithProviders(<ConcertsTab />, { path: '/admin/concerts?edit=new' })
  fireEvent.change(await screen.findByLabelText('Date'), { target: { value: '2027-02-05' } })
  const venue = screen.getByLabelText('Venue')
  fireEvent.change(venue, { target: { value: 'Ruby Room, 100 Main St, Tampa, FL 33602' } })
  fireEvent.blur(venue)
  expect(screen.getByLabelText<HTMLInputElement>('City').value).toBe('Tampa')
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save' })))
  const [request = ''] = sent.filter((entry) => entry.startsWith('POST'))
  expect(JSON.parse(request.slice(request.indexOf('{')))).toEqual({
    date: '2027-02-05',
    startTime: '21:00',
    endTime: '23:30',
    timeZone: 'America/Chicago',
    city: 'Tampa',
    venue: 'Ruby Room',
    address: '100 Main St, Tampa, FL 33602',
    region: 'FL',
    postalCode: '33602',
    country: 'US',
    priceCents: 2500,
    ticketsAvailable: null,
    isSoldOut: false,
    hasVip: true,
    imageUrl: '/media/uploads/a.webp',
    imageAlt: 'The stage in red light.',
  })
})
