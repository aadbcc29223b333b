import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Download } from '../../worker/contract/downloads'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { buildOrder } from '../testing/order.fixture'
import { buildProduct, buildVariant } from '../testing/product.fixture'
import { changeField, mockFetch, renderApp, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { Library } from './Library'
import { OrderDownloads } from './OrderDownloads'

const buildDownload = (changes: Partial<Download> = {}): Download => ({
  title: 'First Light',
  artist: 'Somebody',
  coverUrl: '/media/a/cover.webp',
  kind: 'release',
  formats: [{ name: 'FLAC', sizeBytes: 250_000_000, url: '/api/downloads/flac' }],
  preparing: [],
  opensAt: null,
  ...changes,
})

function supporterQueries() {
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, buildSupporter())
  return queryClient
}

beforeEach(() => localStorage.clear())

test('the library lists each format with its size', async () => {
  mockFetch({ 'GET /api/library': [buildDownload()] })
  await renderWithProviders(<Library />, { queryClient: supporterQueries() })
  const link = await screen.findByRole('link', { name: /Download First Light as FLAC 250/ })
  expect(link.getAttribute('href')).toBe('/api/downloads/flac')
})

test('an empty library says what will appear there', async () => {
  mockFetch({ 'GET /api/library': [] })
  await renderWithProviders(<Library />, { queryClient: supporterQueries() })
  expect(await screen.findByText(/^No music yet/)).toBeTruthy()
})

test('a receipt lists downloads that are still being prepared', async () => {
  mockFetch({ 'GET /api/orders/o1/downloads?client_secret=s': [buildDownload({ preparing: ['WAV', 'MP3'] })] })
  await renderWithProviders(<OrderDownloads order={buildOrder()} secret="s" />)
  expect(await screen.findByText(/^We are preparing WAV and MP3\./)).toBeTruthy()
})

test('a receipt without digital goods shows no downloads', async () => {
  const { sent } = mockFetch({ 'GET /api/orders/o1/downloads?client_secret=s': [] })
  await renderWithProviders(<OrderDownloads order={buildOrder()} secret="s" />)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(screen.queryByRole('heading', { name: 'Your downloads' })).toBeNull()
})

test('the product page names formats before the price', async () => {
  const variant = buildVariant({ id: 'album-1', priceCents: 1200, stock: null })
  await renderApp('/merch/album', {
    'GET /api/products': [buildProduct({ id: 'album', slug: 'album', kind: 'digital', variants: [variant] })],
    'GET /api/download-formats': [{ variantId: 'album-1', formats: [{ name: 'FLAC', sizeBytes: null }] }],
  })
  const format = await screen.findByText('FLAC')
  const [price] = screen.getAllByText('$12.00')
  expect(format.compareDocumentPosition(price!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('redeems a code with the key stored in the browser', async () => {
  const { sent } = await renderApp('/redeem', {
    'POST /api/redeem': { downloads: [buildDownload()], isInLibrary: false },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Redeem the code' }))
  expect(screen.getByText('Enter the code from your card.')).toBeTruthy()
  changeField('Code', 'ABCD-EFGH-JKMN')
  fireEvent.click(screen.getByRole('button', { name: 'Redeem the code' }))
  expect(await screen.findByRole('link', { name: /Download First Light/ })).toBeTruthy()
  const request = sent.find((line) => line.startsWith('POST /api/redeem')) ?? ''
  expect(request).toContain('"code":"ABCD-EFGH-JKMN"')
  expect(request).toContain(`"key":"${localStorage.getItem('redeem-key')}"`)
})

test('offers to redeem again while formats are being prepared', async () => {
  const download = buildDownload({ preparing: ['WAV'] })
  const { sent } = await renderApp('/redeem', {
    'POST /api/redeem': { downloads: [download], isInLibrary: false },
  })
  changeField('Code', 'ABCD-EFGH-JKMN')
  fireEvent.click(await screen.findByRole('button', { name: 'Redeem the code' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(sent.filter((request) => request.startsWith('POST /api/redeem'))).toHaveLength(2))
})
