import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
// Preloads a lazy dialog, which could load for longer than a test waits.
import './CommandPalette'
import { SearchButton } from './SearchButton'

// cmdk needs these to measure its list and to scroll to the current item.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)
Element.prototype.scrollIntoView = () => undefined

const hit = {
  kind: 'supporter',
  id: '7',
  title: 'marigold',
  detail: 'm…@mail.example',
  tier: 'gold',
  points: 1240,
  href: '/admin/supporters/7',
}

async function openPalette(role: 'owner' | 'editor' = 'owner') {
  const network = mockFetch({ 'GET /api/admin/search?q=mari': [hit], 'GET /api/admin/search?q=nothing': [] })
  const view = await renderWithProviders(<SearchButton role={role} />, { path: '/admin' })
  await act(async () => void fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
  return { ...network, ...view, input: await screen.findByRole('combobox') }
}
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } })

test('Ctrl-K finds a supporter and Enter opens the page', async () => {
  const { input, router } = await openPalette()
  type(input, 'mari')
  const option = await screen.findByRole('option', { name: /marigold/ })
  expect(option.textContent).toBe('marigoldm…@mail.example, Gold, 1,240 points')
  await act(async () => void fireEvent.keyDown(input, { key: 'Enter' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/supporters/7'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('offers the screens of the role only', async () => {
  const { input } = await openPalette('editor')
  const options = () =>
    within(screen.getByRole('listbox'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  expect(options()).toContain('Music')
  expect(options()).not.toContain('Orders')
  type(input, 'merch')
  expect(options()).toEqual(['Merchandise'])
})

test('starts an action by its name', async () => {
  const { input, router } = await openPalette()
  type(input, 'add a show')
  await act(async () => void fireEvent.keyDown(input, { key: 'Enter' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/concerts'))
  expect(router.state.location.search).toEqual({ edit: 'new' })
})

test('says what to do when nothing is found', async () => {
  const { input } = await openPalette()
  type(input, 'nothing')
  expect(await screen.findByText(/No results for “nothing”/)).toBeTruthy()
})
