import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { get, managers } from '../../../worker/contract/endpoint'
import { type MockResponses, mockFetch, noContent, renderWithProviders, toastText } from '../../testing/render'
import { Toaster } from '../../ui/Toaster'
import { AdminList } from './AdminList'
import { type AdminListDefinition, choiceFilter } from './list-definition'

const Fruit = z.object({ id: z.string(), name: z.string(), color: z.string() })
type Fruit = z.infer<typeof Fruit>
const FRUITS: Fruit[] = ['Apple', 'Banana', 'Cherry'].map((name) => ({ id: name.toLowerCase(), name, color: 'red' }))

const openFruit = vi.fn()
const peel = vi.fn(async (_: Fruit): Promise<unknown> => undefined)
const putBack = vi.fn(async (_: Fruit): Promise<unknown> => undefined)
const list: AdminListDefinition<'/api/fruits', Fruit> = {
  name: 'fruits',
  title: 'Fruits',
  endpoint: get('/api/fruits', z.array(Fruit), managers),
  searchLabel: 'Search fruits',
  nameOf: ({ name }) => name,
  openerOf: (row) => () => openFruit(row.name),
  columns: [
    { id: 'name', header: 'Name', cell: ({ name }) => name, sort: 'name' },
    { id: 'color', header: 'Color', cell: ({ color }) => color },
    { id: 'origin', header: 'Origin', cell: () => 'here', isOptional: true },
  ],
  filters: [choiceFilter('color', 'Color', { red: 'Red' }), { id: 'picked', label: 'Picked', kind: 'days' }],
  bulkActions: [
    { label: 'Peel', run: peel, done: 'Fruits peeled' },
    { label: 'Pick', run: async () => undefined, undo: putBack, done: 'Fruits picked' },
  ],
  empty: 'No fruits yet.',
}

beforeEach(() => {
  localStorage.clear()
  openFruit.mockClear()
  peel.mockReset()
  putBack.mockReset()
})
async function renderList(path = '/fruits', responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/fruits': FRUITS,
    'GET /api/admin/views?list=fruits': [],
    ...responses,
  })
  const view = await renderWithProviders(
    <>
      <AdminList list={list} />
      <Toaster />
    </>,
    { path },
  )
  return { ...network, ...view }
}
const press = (key: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }))
const focusedRowName = () => document.activeElement?.getAttribute('aria-label')

test('reads search, filters, sort and page from the URL', async () => {
  const { sent } = await renderList('/fruits?q=12&color=red&sort=-name&cursor=after.x')
  expect(sent).toContain('GET /api/fruits?color=red&q=12&sort=-name&cursor=after.x')
  expect(await screen.findByLabelText<HTMLInputElement>('Search fruits')).toHaveProperty('value', '12')
})

test('sorting changes the URL and opens the first page', async () => {
  const { router } = await renderList('/fruits?cursor=after.x', { 'GET /api/fruits?cursor=after.x': FRUITS })
  fireEvent.click(await screen.findByRole('button', { name: 'Name' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'name' }))
})

test('moves the focus, opens and selects rows by keys', async () => {
  await renderList()
  await screen.findByRole('row', { name: 'Apple' })
  await press('j')
  expect(focusedRowName()).toBe('Apple')
  await press('j')
  await press('j')
  await press('j')
  expect(focusedRowName()).toBe('Cherry')
  await press('k')
  expect(focusedRowName()).toBe('Banana')
  await press('x')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Banana' }).checked).toBe(true)
  await press('Enter')
  expect(openFruit.mock.calls).toEqual([['Banana']])
  await press('/')
  expect(document.activeElement).toBe(screen.getByLabelText('Search fruits'))
  await press('j')
  expect(document.activeElement).toBe(screen.getByLabelText('Search fruits'))
})

test('ignores shortcuts that the admin has turned off', async () => {
  await renderList()
  await screen.findByRole('row', { name: 'Apple' })
  fireEvent.click(screen.getByRole('button', { name: 'Shortcuts' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Use shortcuts' }))
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await press('j')
  expect(focusedRowName()).not.toBe('Apple')
})

test('runs a bulk action and names the rows that failed', async () => {
  peel.mockImplementation(async ({ name }) => {
    if (name === 'Cherry') throw new Error()
  })
  await renderList()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Peel' }))
  await waitFor(() => expect(toastText()).toBe('plain | Fruits peeled | 2 of 3.'))
  expect(peel.mock.calls.map(([{ name }]) => name)).toEqual(['Apple', 'Banana', 'Cherry'])
  const bar = within(screen.getByRole('region', { name: 'Selected rows' }))
  expect(bar.getByText('1 selected')).toBeDefined()
  expect(bar.getByRole('alert').textContent).toBe('Cherry: That did not work. Please try again.')
})

test('the next bulk action clears the failures of the last', async () => {
  peel.mockRejectedValueOnce(new Error())
  await renderList()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Apple' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Peel' }))
  await screen.findByRole('alert')
  const response = Promise.withResolvers<void>()
  peel.mockReturnValueOnce(response.promise)
  fireEvent.click(screen.getByRole('button', { name: 'Peel' }))
  expect(await screen.findByText('0 of 1 done')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  await act(async () => response.resolve())
})

test('undo continues after a row that fails', async () => {
  putBack.mockRejectedValueOnce(new Error())
  await renderList()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Pick' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(toastText()).toBe('destructive | Not restored | 1 of 3.'))
  expect(putBack.mock.calls.map(([{ name }]) => name)).toEqual(['Apple', 'Banana', 'Cherry'])
  expect(screen.getByRole('alert').textContent).toBe('Apple: That did not work. Please try again.')
})

test('saves the shown columns in the URL and in localStorage', async () => {
  const { router } = await renderList()
  await screen.findByRole('row', { name: 'Apple' })
  expect(screen.queryByRole('columnheader', { name: 'Origin' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Origin' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ cols: 'name,color,origin' }))
  expect(localStorage.getItem('admin.columns.fruits')).toBe('name,color,origin')
})

test('restores a deleted view', async () => {
  const view = { id: 'v', list: 'fruits', name: 'Red', search: '?color=red' }
  const { sent } = await renderList('/fruits', {
    'GET /api/admin/views?list=fruits': [view],
    'DELETE /api/admin/views/v': noContent,
    'POST /api/admin/views': view,
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete the view Red' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  const body = '{"list":"fruits","name":"Red","search":"?color=red"}'
  await waitFor(() => expect(sent).toContain(`POST /api/admin/views ${body}`))
})

test('saves search, filters, sort and columns as a view', async () => {
  const { sent } = await renderList('/fruits?color=red&cols=name', {
    'GET /api/fruits?color=red': FRUITS,
    'POST /api/admin/views': { id: 'v', list: 'fruits', name: 'Red', search: '?color=red' },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Views' }))
  fireEvent.change(await screen.findByLabelText('Name of this view'), { target: { value: 'Red' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Save view' }))
  const body = '{"list":"fruits","name":"Red","search":"?color=red&cols=name"}'
  await waitFor(() => expect(sent).toContain(`POST /api/admin/views ${body}`))
})

test('offers to clear a search without results', async () => {
  const { router } = await renderList('/fruits?q=kiwi', { 'GET /api/fruits?q=kiwi': [] })
  expect(await screen.findByText('Nothing matches “kiwi”.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(await screen.findByRole('row', { name: 'Apple' })).toBeDefined()
})

test('pages by the Link header of the response', async () => {
  const page = () => Response.json(FRUITS, { headers: { link: '</api/fruits?cursor=after.3>; rel="next"' } })
  const { router } = await renderList('/fruits', {
    'GET /api/fruits': page,
    'GET /api/fruits?cursor=after.3': () =>
      Response.json([{ id: 'fig', name: 'Fig', color: 'blue' }], {
        headers: { link: '</api/fruits?cursor=before.4>; rel="prev"' },
      }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Next page' }))
  expect(await screen.findByRole('row', { name: 'Fig' })).toBeDefined()
  expect(router.state.location.search).toEqual({ cursor: 'after.3' })
  fireEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ cursor: 'before.4' }))
})
