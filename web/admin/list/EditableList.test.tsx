import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { del, editors, get, patch, post } from '../../../worker/contract/endpoint'
import { ListOrder } from '../../../worker/contract/fields'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../../testing/render'
import { Toaster } from '../../ui/Toaster'
import { formDraftKey, listFormDrafts, readFormDraft, setFormDraftUser, writeFormDraft } from '../form-drafts'
import { EditableList, type EditableListDefinition } from './EditableList'

const Draft = z.strictObject({ title: z.string(), place: z.string(), price: z.int(), version: z.optional(z.int()) })
type Draft = z.infer<typeof Draft>
const Fruit = z.object({ id: z.string(), title: z.string(), place: z.string(), price: z.int(), version: z.int() })
type Fruit = z.infer<typeof Fruit>
const apple: Fruit = { id: 'a', title: 'Apple', place: 'Left', price: 100, version: 1 }

const fruits: EditableListDefinition<'/api/fruits', Fruit, Draft> = {
  list: {
    name: 'fruits',
    title: 'Fruits',
    endpoint: get('/api/fruits', z.array(Fruit), editors),
    columns: [{ id: 'title', header: 'Title', cell: (row) => row.title }],
    nameOf: (row) => row.title,
    empty: 'No fruits yet.',
  },
  noun: 'fruit',
  keys: ['fruits'],
  form: {
    schema: Draft,
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'place', label: 'Place' },
      { name: 'price', label: 'Price', kind: 'money' },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
  },
  endpoints: {
    update: patch('/api/fruits/:id', Draft, null, editors),
    remove: del('/api/fruits/:id', null, null, editors),
    restore: post('/api/fruits/:id/restore', null, null, editors),
  },
}

beforeEach(() => localStorage.clear())

// Without a session, the user id is 0.
const DRAFT_KEY = formDraftKey(0, 'fruits.a')

async function openApple(responses: MockResponses) {
  const network = mockFetch({ 'GET /api/fruits': [apple], 'GET /api/fruits?id=a': [apple], ...responses })
  const view = await renderWithProviders(<EditableList definition={fruits} />, { path: '/fruits' })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Apple' }))
  return { ...network, ...view }
}
const save = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save' })))
const patchBodies = (sent: readonly string[]) =>
  sent.filter((call) => call.startsWith('PATCH')).map((call) => JSON.parse(call.slice(call.indexOf('{'))))

test('a conflicting save shows both versions', async () => {
  const theirs = { ...apple, title: 'Red apple', place: 'Right', price: 250, version: 2 }
  let stored = apple
  const { sent } = await openApple({
    'GET /api/fruits?id=a': () => Response.json([stored]),
    'PATCH /api/fruits/a': async (request: Request) => {
      const { version } = (await request.json()) as Draft
      if (version === stored.version) return noContent()
      return errorResponse(409, 'conflict', 'Someone else has saved this.')
    },
  })
  await screen.findByLabelText('Title')
  stored = theirs
  changeField('Title', 'Green apple')
  changeField('Price', '3')
  await save()
  const panel = await screen.findByRole('region', { name: /Someone else saved this/ })
  const choice = (field: string, text: string) =>
    within(within(panel).getByRole('group', { name: field })).getByLabelText<HTMLInputElement>(text)
  expect(choice('Title', 'Yours: Green apple').checked).toBe(true)
  expect(choice('Place', 'Theirs: Right').checked).toBe(true)
  fireEvent.click(choice('Price', 'Theirs: $2.50'))
  await save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(patchBodies(sent)).toEqual([
    { title: 'Green apple', place: 'Left', price: 300, version: 1 },
    { title: 'Green apple', place: 'Right', price: 250, version: 2 },
  ])
})

test('shows other conflicts as errors of the form', async () => {
  await openApple({ 'PATCH /api/fruits/a': () => errorResponse(409, 'conflict', 'That title is taken.') })
  await screen.findByLabelText('Title')
  changeField('Title', 'Pear')
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe('That title is taken.')
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Pear')
})

test('restores values typed before the session ended', async () => {
  const expired = await openApple({})
  await screen.findByLabelText('Title')
  changeField('Title', 'Half a title')
  changeField('Price', '7.50')
  await waitFor(() => expect(readFormDraft(DRAFT_KEY)?.values).toMatchObject({ title: 'Half a title', price: 750 }))
  expired.unmount()
  const { sent } = mockFetch({ 'GET /api/fruits': [apple], 'PATCH /api/fruits/a': () => noContent() })
  await renderWithProviders(<EditableList definition={fruits} />, { path: '/fruits' })
  await screen.findByText('Apple', { selector: 'td *, td' })
  fireEvent.click(screen.getByRole('button', { name: 'Continue editing' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Half a title')
  expect(document.activeElement).toBe(screen.getByLabelText('Title'))
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('7.50')
  await save()
  await waitFor(() =>
    expect(patchBodies(sent)).toEqual([{ title: 'Half a title', place: 'Left', price: 750, version: 1 }]),
  )
  expect(readFormDraft(DRAFT_KEY)).toBeNull()
})

test('a reload restores the draft, which can be discarded', async () => {
  const draft = { name: 'Apple', base: fruits.form.toDraft(apple), savedAt: Date.now() }
  writeFormDraft(DRAFT_KEY, { ...draft, values: { ...draft.base, title: 'Half a title', price: 750 } })
  mockFetch({ 'GET /api/fruits': [apple], 'GET /api/fruits?id=a': [apple] })
  await renderWithProviders(<EditableList definition={fruits} />, { path: '/fruits?edit=a' })
  const notice = await screen.findByRole('region', { name: 'Draft restored' })
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('7.50')
  expect(screen.getByText(/^Draft saved on this device at /)).toBeDefined()
  fireEvent.click(within(notice).getByRole('button', { name: 'Discard the draft' }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Apple')
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('1')
  expect(screen.queryByRole('region', { name: 'Draft restored' })).toBeNull()
  expect(readFormDraft(DRAFT_KEY)).toBeNull()
})

test('values changed back leave no draft', async () => {
  const { unmount } = await openApple({})
  await screen.findByLabelText('Title')
  changeField('Title', 'Pear')
  await waitFor(() => expect(readFormDraft(DRAFT_KEY)).not.toBeNull())
  changeField('Title', 'Apple')
  unmount()
  expect(readFormDraft(DRAFT_KEY)).toBeNull()
})

test('values typed during a save are a new draft', async () => {
  const saved = Promise.withResolvers<Response>()
  await openApple({ 'PATCH /api/fruits/a': () => saved.promise })
  await screen.findByLabelText('Title')
  changeField('Title', 'Pear')
  await save()
  changeField('Title', 'Peach')
  await act(async () => saved.resolve(noContent()))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(readFormDraft(DRAFT_KEY)).toMatchObject({
    base: { title: 'Pear', version: 2 },
    values: { title: 'Peach', version: 2 },
  })
})

test('values typed while a record is added become its draft', async () => {
  const added = Promise.withResolvers<Response>()
  const stored = { ...apple, id: 'p', title: 'Pear', place: 'Left', price: 0, version: 1 }
  mockFetch({
    'GET /api/fruits': [],
    'GET /api/fruits?id=p': [stored],
    'POST /api/fruits': () => added.promise,
  })
  const add = post('/api/fruits', Draft, z.object({ id: z.string() }), editors)
  const definition = {
    ...fruits,
    form: { ...fruits.form, blank: { title: '', place: 'Left', price: 0 } },
    endpoints: { ...fruits.endpoints, add },
  }
  await renderWithProviders(<EditableList definition={definition} />, { path: '/fruits?edit=new' })
  await screen.findByLabelText('Title')
  changeField('Title', 'Pear')
  await save()
  changeField('Title', 'Peach')
  await act(async () => added.resolve(Response.json({ id: 'p' })))
  await screen.findByText('A new fruit', { selector: 'strong' })
  expect(listFormDrafts(0, 'fruits')).toMatchObject([
    { id: 'p', draft: { base: { title: 'Pear', version: 1 }, values: { title: 'Peach', version: 1 } } },
  ])
})

test('reading a draft older than a week deletes it', () => {
  writeFormDraft(DRAFT_KEY, { name: 'Apple', base: {}, values: { title: 'Pear' }, savedAt: 0 })
  expect(readFormDraft(DRAFT_KEY)).toBeNull()
  expect(localStorage.length).toBe(0)
})

test('leaving a dialog without saving removes its draft', async () => {
  await openApple({})
  await screen.findByLabelText('Title')
  changeField('Title', 'Pear')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('Your changes to “Apple” are not saved. They will be lost.')).toBeDefined()
  expect(document.activeElement?.textContent).toBe('Cancel')
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(readFormDraft(DRAFT_KEY)).toBeNull()
})

test('opens the record in the URL; closing clears it', async () => {
  const pear = { ...apple, id: 'p', title: 'Pear' }
  mockFetch({ 'GET /api/fruits': [apple], 'GET /api/fruits?id=p': [pear] })
  const { router } = await renderWithProviders(<EditableList definition={fruits} />, { path: '/fruits?edit=p' })
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Pear')
  await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('says that the record in the URL was deleted', async () => {
  mockFetch({ 'GET /api/fruits': [apple], 'GET /api/fruits?id=p': [] })
  await renderWithProviders(<EditableList definition={fruits} />, { path: '/fruits?edit=p' })
  await waitFor(() => expect(toastText()).toContain('This fruit was deleted or can’t be edited.'))
})

test('undoes the deletion of selected records', async () => {
  const { sent } = mockFetch({
    'GET /api/fruits': [apple],
    'DELETE /api/fruits/a': () => noContent(),
    'POST /api/fruits/a/restore': () => noContent(),
  })
  const listAndToasts = (
    <>
      <EditableList definition={fruits} />
      <Toaster />
    </>
  )
  await renderWithProviders(listAndToasts, { path: '/fruits' })
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Apple' }))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent).toContain('POST /api/fruits/a/restore'))
})

test('keys and buttons reorder rows, Undo restores the order', async () => {
  const rows = ['Apple', 'Banana', 'Cherry'].map((title) => ({ ...apple, id: title.toLowerCase(), title }))
  const reorder = post('/api/fruits/order', ListOrder, null, editors)
  const { sent } = mockFetch({
    'GET /api/fruits': rows,
    'GET /api/fruits?sort=position&state=active': rows,
    'POST /api/fruits/order': () => noContent(),
  })
  const view = (
    <>
      <EditableList
        definition={{ ...fruits, endpoints: { ...fruits.endpoints, reorder }, orderFilters: { state: 'active' } }}
      />
      <Toaster />
    </>
  )
  await renderWithProviders(view, { path: '/fruits' })
  fireEvent.click(await screen.findByRole('button', { name: 'Change the order' }))
  fireEvent.keyDown(await screen.findByRole('button', { name: 'Move Cherry' }), { key: 'Home' })
  expect(screen.getByText('Cherry is now 1 of 3.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Move Apple down' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save the order' }))
  await waitFor(() => expect(toastText()).toBe('plain | Order saved | Fruits are in their new order.'))
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(sent.filter((line) => line.startsWith('POST'))).toEqual([
      'POST /api/fruits/order {"ids":["cherry","banana","apple"]}',
      'POST /api/fruits/order {"ids":["apple","banana","cherry"]}',
    ]),
  )
})

test('asks before closing with an unsaved order of rows', async () => {
  const rows = ['Apple', 'Banana'].map((title) => ({ ...apple, id: title.toLowerCase(), title }))
  const reorder = post('/api/fruits/order', ListOrder, null, editors)
  const definition = { ...fruits, endpoints: { ...fruits.endpoints, reorder } }
  mockFetch({ 'GET /api/fruits': rows, 'GET /api/fruits?sort=position': rows })
  await renderWithProviders(<EditableList definition={definition} />, { path: '/fruits?edit=order' })
  fireEvent.click(await screen.findByRole('button', { name: 'Move Banana up' }))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('The new order of “Fruits” is not saved yet. It will be lost.')).toBeDefined()
})

test('a login deletes the form drafts of other admins', () => {
  const draft = { name: 'A new fruit', base: {}, values: { title: 'Pear' }, savedAt: Date.now() }
  for (const key of ['1.fruits.new', '12.fruits.new', 'fruits.new'])
    localStorage.setItem(`admin.draft.${key}`, JSON.stringify(draft))
  localStorage.setItem('admin.draft.1.fruits.old', JSON.stringify({ ...draft, savedAt: 0 }))
  setFormDraftUser(1)
  expect(Object.keys(localStorage).toSorted()).toEqual(['admin.draft.1.fruits.new', 'admin.user'])
  expect(listFormDrafts(1, 'fruits')).toEqual([{ id: 'new', draft }])
})
