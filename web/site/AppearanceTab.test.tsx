import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { type AppearanceDraft, accentContrast, MIN_CONTRAST } from '../../worker/contract/appearance'
import { HOME_SECTIONS } from '../../worker/contract/home-sections'
import { formDraftKey, readFormDraft } from '../admin/form-drafts'
import { errorResponse, mockFetch, noContent, renderWithProviders } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { AppearanceTab } from './AppearanceTab'
import { accentColors } from './cover-colors'

const SAVED: AppearanceDraft = {
  accent: null,
  sections: HOME_SECTIONS.map(({ id }) => ({ id, isVisible: true })),
  labels: { music: '', merch: '', concerts: '', exclusive: '', 'smart-features': '' },
  version: 3,
}

beforeEach(() => localStorage.clear())

async function openTab(
  save: () => Response | Promise<Response> = noContent,
  stored: () => AppearanceDraft = () => SAVED,
) {
  const { sent } = mockFetch({
    'GET /api/config': buildSite(),
    'GET /api/releases': [],
    'GET /api/admin/appearance': () => Response.json(stored()),
    'GET /api/admin/legal-texts': [],
    'PATCH /api/admin/appearance': save,
  })
  await renderWithProviders(<AppearanceTab />)
  await screen.findByText('Sections of the home page')
  return {
    saved: () => {
      const body = sent.findLast((request) => request.startsWith('PATCH'))?.replace(/^\S+ \S+ /, '')
      return body && (JSON.parse(body) as AppearanceDraft)
    },
  }
}
const preview = () => within(screen.getByRole('complementary', { name: 'Preview' }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const typeColor = (value: string) => fireEvent.change(screen.getByLabelText('Another color'), { target: { value } })

test('previews order, visibility and labels before saving', async () => {
  const { saved } = await openTab()
  press('Move Merch Store up')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Live Shows' }))
  fireEvent.change(screen.getByLabelText('Label of Latest Releases in the navigation'), { target: { value: 'Songs' } })
  const previewItems = preview()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(previewItems.slice(0, 4)).toEqual(['Merch', 'Songs', 'Exclusive', 'Supporter Missions'])
  expect(previewItems.slice(4, 7)).toEqual(['01Merch Store', '02Latest Releases', '03The Zone'])
  press('Save')
  await waitFor(() => expect(saved()).toMatchObject({ version: 3, labels: { music: 'Songs' } }))
  expect(await screen.findByText(/Visitors see it now/)).toBeTruthy()
})

test('moves a section with the arrow keys', async () => {
  await openTab()
  fireEvent.keyDown(screen.getByRole('button', { name: 'Move Newsletter' }), { key: 'Home' })
  expect(screen.getByText('Newsletter is now 1 of 7.')).toBeTruthy()
})

test('explains an unreadable color and does not send it', async () => {
  const { saved } = await openTab()
  typeColor('#222222')
  expect(screen.getByText(/would be hard to read/)).toBeTruthy()
  press('Save')
  expect((await screen.findByRole('alert')).textContent).toContain('choose a lighter one')
  expect(saved()).toBeUndefined()
  typeColor('#8fd3c8')
  expect(screen.getByText(/^Contrast 9\.\d : 1/)).toBeTruthy()
})

test('changes made during a save are a new draft', async () => {
  const response = Promise.withResolvers<Response>()
  await openTab(() => response.promise)
  typeColor('#8fd3c8')
  press('Save')
  await screen.findByRole('button', { name: 'Saving' })
  typeColor('#ffcc66')
  response.resolve(noContent())
  expect(await screen.findByText(/Visitors see it now/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Another color').value).toBe('#ffcc66')
  await waitFor(() =>
    expect(readFormDraft(formDraftKey(0, 'theme.form'))?.values).toMatchObject({ accent: '#ffcc66', version: 4 }),
  )
})

test('compares both versions after a conflict', async () => {
  let stored = SAVED
  let saves = 0
  const { saved } = await openTab(
    () => (++saves === 1 ? errorResponse(409, 'conflict', 'Someone else has saved this.') : noContent()),
    () => stored,
  )
  typeColor('#8fd3c8')
  stored = { ...SAVED, accent: '#ffcc66', version: 4 }
  press('Save')
  const panel = await screen.findByRole('region', { name: /Someone else saved this/ })
  expect(panel.textContent).toContain('Theirs: #ffcc66')
  expect(screen.getByLabelText<HTMLInputElement>('Another color').value).toBe('#8fd3c8')
  press('Save')
  expect(await screen.findByText(/Visitors see it now/)).toBeTruthy()
  expect(saved()).toMatchObject({ accent: '#8fd3c8', version: 4 })
})

test('takes readable colors from a cover', () => {
  const repeat = (count: number, pixel: number[]) => Array.from({ length: count }, () => pixel).flat()
  const red = [120, 20, 30, 255]
  const blue = [20, 90, 140, 255]
  const black = [9, 9, 9, 255]
  const colors = accentColors([...repeat(20, red), ...repeat(8, blue), ...repeat(2, black)])
  expect(colors).toHaveLength(2)
  for (const color of colors) expect(accentContrast(color)).toBeGreaterThanOrEqual(MIN_CONTRAST)
  expect(accentColors([200, 200, 200, 255])).toEqual([])
})
