import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { SITE_DRAFT } from '../../worker/testing/drafts'
import { LegalTextPreview } from '../site/LegalTextPreview'
import { LegalTextsPanel } from '../site/LegalTextsPanel'
import { SiteTab } from '../site/SiteTab'
import { changeField, type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import {
  ChallengePreview,
  ExclusivePostPreview,
  MissionPreview,
  PollPreview,
  ProductPreview,
  ShowPreview,
  SitePreview,
  SocialPostPreview,
  TierPreview,
  TrackPreview,
} from './form-previews'

beforeEach(() => localStorage.clear())

const render = async (ui: ReactNode, responses: MockResponses = {}) => {
  const music = { 'GET /api/admin/tracks': [], 'GET /api/admin/releases': [] }
  mockFetch({ 'GET /api/config': buildSite(), ...music, ...responses })
  return renderWithProviders(ui)
}

/** Opens a form's preview in a document that replaces its frame's, as happy-dom loads no frames. Returns its body. */
async function openPreview(): Promise<HTMLElement> {
  const content = document.implementation.createHTMLDocument()
  vi.spyOn(HTMLIFrameElement.prototype, 'contentDocument', 'get').mockReturnValue(content)
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }))
  fireEvent.load(screen.getByTitle('Preview'))
  return content.body
}

test('every preview shows placeholders for an empty form', async () => {
  await render(
    <>
      <ShowPreview draft={{}} />
      <ProductPreview draft={{}} />
      <TrackPreview draft={{}} id="new" />
      <PollPreview draft={{}} />
      <ExclusivePostPreview draft={{}} />
      <TierPreview draft={{}} id="silver" />
      <MissionPreview draft={{}} />
      <SocialPostPreview draft={{}} />
      <ChallengePreview draft={{}} />
      <SitePreview draft={{}} />
      <LegalTextPreview draft={{}} id="terms" />
    </>,
  )
  expect(await screen.findByText('Tagline')).toBeDefined()
  expect(screen.getByText('There is no page while the text is empty.')).toBeDefined()
  for (const text of ['Venue', 'First option', 'Your post', 'Choose Name', 'Description', 'Prize'])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
})

test('previews show no invented price, points, day or length', async () => {
  const { container } = await render(
    <>
      <ShowPreview draft={{ venue: 'Ruby Room' }} />
      <ProductPreview draft={{ name: 'Hoodie' }} />
      <TrackPreview draft={{ title: 'Lanterns' }} id="new" />
      <PollPreview draft={{ title: 'Which song?' }} />
      <TierPreview draft={{ name: 'Silver' }} id="silver" />
      <MissionPreview draft={{ title: 'Vote' }} />
      <ChallengePreview draft={{ title: 'A Challenge' }} />
    </>,
  )
  expect(screen.getByText('Open until its last day')).toBeDefined()
  expect(screen.getByText('Submissions open on the first day.')).toBeDefined()
  expect(container.textContent).not.toMatch(/\$|Free|\+\d|\d:\d\d|Invalid|NaN|20\d\d/)
})

test('a show is previewed while its time zone is typed', async () => {
  const evening = { date: '2027-02-05', startTime: '20:00', endTime: '23:00' }
  await render(<ShowPreview draft={{ ...evening, venue: 'Ruby Room', timeZone: 'America/N' }} />)
  expect(screen.getByText('Ruby Room')).toBeDefined()
  expect(screen.getByText('8:00 PM to 11:00 PM UTC')).toBeDefined()
})

test('a product’s preview shows the price of its cheapest variant', async () => {
  const variant = { options: {}, sku: '', minimumCents: null, weightGrams: 0, imageUrl: '' as const, releaseSlug: null }
  const variants = [2500, 1900].map((priceCents) => ({ ...variant, trackId: null, items: [], stock: 0, priceCents }))
  await render(<ProductPreview draft={{ name: 'Hoodie', variants }} />)
  expect(screen.getByText('$19.00')).toBeDefined()
  expect(screen.getByText('Sold out')).toBeDefined()
})

test('the preview frame gets styles that load after it', async () => {
  await render(<SiteTab />, { 'GET /api/admin/site': SITE_DRAFT })
  const body = await openPreview()
  const sheet = document.createElement('style')
  sheet.textContent = '.poll-card { color: red }'
  document.head.append(sheet)
  await waitFor(() => expect(body.ownerDocument.head.textContent).toContain('.poll-card'))
  sheet.remove()
})

test('the preview of the site shows typed values', async () => {
  await render(<SiteTab />, { 'GET /api/admin/site': SITE_DRAFT })
  const body = await openPreview()
  await waitFor(() => expect(body.textContent).toContain(SITE_DRAFT.tagline))
  changeField('Tagline', 'Louder than the harbor')
  changeField('TikTok', 'https://tiktok.example/any')
  await waitFor(() => expect(body.textContent).toContain('Louder than the harbor'))
  expect([...body.querySelectorAll('.social')].map((link) => link.getAttribute('href'))).toEqual([
    'https://tiktok.example/any',
  ])
})

test('the preview of a legal text is its page', async () => {
  await render(<LegalTextsPanel />, { 'GET /api/admin/legal-texts': [{ id: 'terms', text: '', version: 0 }] })
  const body = await openPreview()
  await waitFor(() => expect(body.textContent).toContain('There is no page'))
  changeField('Terms of Sale', '# Delivery\n<script>alert(1)</script> [by post](javascript:alert)')
  await waitFor(() => expect(body.querySelector('.legal-text h2')?.textContent).toBe('Delivery'))
  expect(body.querySelector('h1')?.textContent).toBe('Terms of Sale')
  expect(body.querySelector('.legal-text :is(script, a)')).toBeNull()
})
