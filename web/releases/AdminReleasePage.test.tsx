import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { SITE_DRAFT } from '../../worker/testing/drafts'
import { removeAllFormDrafts } from '../admin/form-drafts'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { buildAdminTrack } from '../testing/admin-track.fixture'
import { changeField, errorResponse, type MockResponses, noContent, renderApp } from '../testing/render'

const release = {
  id: 'r1',
  title: 'A Record',
  artist: 'Any Artist',
  slug: 'a-record',
  kind: 'album',
  coverUrl: '/media/any/cover.webp',
  coverAlt: 'A cover.',
  releasedAt: '2099-01-02T05:00:00.000Z',
  isAnnounced: false,
  notes: '',
  credits: [],
  label: '',
  upc: '',
  isExplicit: false,
  trackIds: [1, 2, 3],
  version: 4,
}
const PATCH_RELEASE = 'PATCH /api/admin/releases/r1'

beforeEach(() => localStorage.clear())

async function openEditor(responses: MockResponses = {}, id = 'r1') {
  const app = await renderApp(`/admin/releases/${id}`, {
    'GET /api/admin/session': buildAdminSession(),
    'GET /api/admin/site': SITE_DRAFT,
    'GET /api/admin/tracks': ['One', 'Two', 'Three'].map((title, index) =>
      buildAdminTrack({ id: `${index + 1}`, title }),
    ),
    'GET /api/admin/releases/r1': release,
    [PATCH_RELEASE]: noContent,
    ...responses,
  })
  await screen.findByLabelText('Title')
  const writes = (key: string) =>
    app.sent.filter((request) => request.startsWith(key)).map((request) => JSON.parse(request.slice(key.length)))
  return { ...app, writes }
}
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
const draftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('admin.draft.'))
const trackTitles = () =>
  within(screen.getByRole('group', { name: 'Tracks' }))
    .getAllByRole('button', { name: /^Move (?!.* (up|down)$)/ })
    .map((button) => button.getAttribute('aria-label')?.slice('Move '.length))

test('arrow keys move a track, keep focus, announce its position', async () => {
  const { writes } = await openEditor()
  const handle = screen.getByRole('button', { name: 'Move One' })
  handle.focus()
  fireEvent.keyDown(handle, { key: 'ArrowDown' })
  expect(trackTitles()).toEqual(['Two', 'One', 'Three'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move One')
  expect(screen.getByText('One is now 2 of 3.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Move Three up' }))
  expect(trackTitles()).toEqual(['Two', 'Three', 'One'])
  save()
  await waitFor(() => expect(writes(PATCH_RELEASE)).toMatchObject([{ trackIds: [2, 3, 1], version: 4 }]))
})

test('dragging a track to another row moves it there', async () => {
  await openEditor()
  const rows = within(screen.getByRole('group', { name: 'Tracks' })).getAllByRole('listitem')
  rows.forEach((row, index) => {
    row.getBoundingClientRect = () => new DOMRect(0, index * 50, 300, 50)
  })
  const handle = screen.getByRole('button', { name: 'Move One' })
  handle.setPointerCapture = () => {}
  fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientY: 20 })
  fireEvent.pointerMove(handle, { pointerId: 1, clientY: 140 })
  expect(trackTitles()).toEqual(['One', 'Two', 'Three'])
  fireEvent.pointerUp(handle, { pointerId: 1 })
  expect(trackTitles()).toEqual(['Two', 'Three', 'One'])
})

test('reads the release time in the artist’s time zone', async () => {
  const { writes } = await openEditor()
  expect((screen.getByLabelText('Time') as HTMLInputElement).value).toBe('00:00')
  changeField('Date', '')
  save()
  expect(await screen.findByText('Please choose a date and a time.')).toBeDefined()
  expect(screen.getByText('Please check: Release time.')).toBeDefined()
  changeField('Date', '2099-07-04')
  changeField('Time', '20:30')
  expect(await screen.findByText(/Scheduled for Jul 4, 2099, 8:30 PM/)).toBeDefined()
  expect(screen.queryByText(/Please check/)).toBeNull()
  save()
  await waitFor(() => expect(writes(PATCH_RELEASE)).toMatchObject([{ releasedAt: '2099-07-05T00:30:00.000Z' }]))
})

test('enables the countdown page', async () => {
  const { writes } = await openEditor()
  fireEvent.click(screen.getByRole('checkbox', { name: /Show a countdown page/ }))
  expect(await screen.findByText(/Its page counts down until then\./)).toBeDefined()
  save()
  await waitFor(() => expect(writes(PATCH_RELEASE)).toMatchObject([{ isAnnounced: true }]))
})

const THEIR_RELEASE = { ...release, title: 'Their Record', notes: 'Theirs.', version: 5 }

/** Saves a title after another admin has saved the release. */
async function openConflict() {
  let current = release
  const editor = await openEditor({
    'GET /api/admin/releases/r1': () => Response.json(current),
    [PATCH_RELEASE]: async (request: Request) => {
      if (((await request.json()) as { version: number }).version === 5) return noContent()
      current = THEIR_RELEASE
      return errorResponse(409, 'conflict', 'Someone else changed this release.')
    },
  })
  changeField('Title', 'My Record')
  save()
  expect(await screen.findByText('Someone else saved this while you were editing')).toBeDefined()
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('My Record')
  return editor
}

test('after a version conflict, the form’s values can be saved', async () => {
  const { writes } = await openConflict()
  expect(screen.getByLabelText('Theirs: Their Record')).toBeDefined()
  save()
  await waitFor(() =>
    expect(writes(PATCH_RELEASE)[1]).toMatchObject({ title: 'My Record', notes: 'Theirs.', version: 5 }),
  )
  await waitFor(() => expect(screen.queryByText(/Someone else saved/)).toBeNull())
})

test('after a conflict, the other admin’s value can be chosen', async () => {
  const { writes } = await openConflict()
  fireEvent.click(screen.getByLabelText('Theirs: Their Record'))
  save()
  await waitFor(() => expect(writes(PATCH_RELEASE)[1]).toMatchObject({ title: 'Their Record', version: 5 }))
})

test('a second save sends the next version', async () => {
  const { writes } = await openEditor()
  for (const title of ['First', 'Second']) {
    changeField('Title', title)
    save()
    await waitFor(() => expect(writes(PATCH_RELEASE).at(-1)).toMatchObject({ title }))
    await screen.findByRole('button', { name: 'Save' })
  }
  expect(writes(PATCH_RELEASE).map(({ version }) => version)).toEqual([4, 5])
})

test('unsaved changes are restored on the next visit', async () => {
  await openEditor()
  changeField('Title', 'Half done')
  cleanup()
  await openEditor()
  expect(await screen.findByRole('region', { name: 'Draft restored' })).toBeDefined()
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('Half done')
  save()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Draft restored' })).toBeNull())
  expect(draftKeys()).toEqual([])
})

test('a new track’s draft belongs to its release', async () => {
  await openEditor()
  fireEvent.click(screen.getByRole('button', { name: 'Add a new track' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Four' } })
  await waitFor(() => expect(draftKeys()).toEqual(['admin.draft.7.release-tracks.r1']))
})

test('a track of the release links to its page', async () => {
  await openEditor()
  expect(screen.getByRole('link', { name: 'Edit Two' }).getAttribute('href')).toBe('/admin/tracks/2')
})

test('after a logout in another tab, saves no more drafts', async () => {
  await openEditor()
  // What the logout does to the storage that the tabs share.
  removeAllFormDrafts()
  changeField('Title', 'Half done')
  cleanup()
  expect(draftKeys()).toEqual([])
})

test('opening the dashboard deletes expired drafts', async () => {
  localStorage.setItem('admin.draft.7.tracks.2', JSON.stringify({ name: 'Two', base: {}, values: {}, savedAt: 0 }))
  await openEditor()
  expect(draftKeys()).toEqual([])
})
