import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AdminPointsEntry, AdminSupporter } from '../../worker/contract/admin'
import { type MockResponses, mockFetch, noContent, renderWithProviders } from '../testing/render'
import { SupportersTab } from './SupportersTab'

const buildAna = (points: number): AdminSupporter => ({
  id: '7',
  username: 'ana',
  email: 'a…@mail.example',
  emailVerified: true,
  tier: 'gold',
  points,
  joinedAt: '2026-07-01T00:00:00Z',
  banned: false,
  votesExcluded: false,
})
const buildEntry = (changes: Partial<AdminPointsEntry> = {}): AdminPointsEntry => ({
  id: '31',
  action: 'poll_vote',
  description: 'Voted in “Which song?”',
  points: 10,
  createdAt: '2026-07-02T00:00:00Z',
  state: 'stands',
  ...changes,
})
const REVERSE = 'POST /api/admin/points/31/void'
const reversal = buildEntry({ id: '32', description: 'Taken back: By a script', points: -10, state: 'reversal' })

/** Opens the form that reverses the entry. */
async function openReversalForm(responses: MockResponses = {}) {
  let isReversed = false
  const network = mockFetch({
    'GET /api/admin/supporters': () => Response.json([buildAna(isReversed ? 0 : 10)]),
    'GET /api/admin/supporters/7/points': () =>
      Response.json(isReversed ? [reversal, buildEntry({ state: 'taken_back' })] : [buildEntry()]),
    [REVERSE]: () => {
      isReversed = true
      return Response.json({ pointsTaken: 10 })
    },
    ...responses,
  })
  await renderWithProviders(<SupportersTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Points of ana' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Points of ana' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'Void Voted in “Which song?”' }))
  return { ...network, dialog }
}
const submitReason = (dialog: ReturnType<typeof within>, reason: string) => {
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: reason } })
  fireEvent.click(dialog.getByRole('button', { name: 'Void' }))
}

test('reverses points with a reason and updates ledger and total', async () => {
  const { dialog, sent } = await openReversalForm()
  fireEvent.click(dialog.getByRole('button', { name: 'Void' }))
  expect(dialog.getByText('Please say why.')).toBeDefined()
  expect(sent.filter((line) => line.includes('void'))).toEqual([])
  submitReason(dialog, 'By a script')
  expect(await dialog.findByText('Taken back: By a script')).toBeDefined()
  expect(sent).toContain(`${REVERSE} {"reason":"By a script"}`)
  await waitFor(() => expect(dialog.getByText('0', { selector: 'strong' })).toBeDefined())
  expect(dialog.getAllByRole('row').map((row) => row.textContent)).toEqual([
    expect.stringContaining('When'),
    expect.stringMatching(/Taken back: By a script.*−10.*Reversal$/),
    expect.stringMatching(/Which song.*\+10.*Taken back$/),
  ])
})

test('keeps the typed reason after an error', async () => {
  const { dialog } = await openReversalForm({
    [REVERSE]: () => new Response('These points have already been taken back.', { status: 409 }),
  })
  submitReason(dialog, 'By a script')
  expect(await dialog.findByText('These points have already been taken back.')).toBeDefined()
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('By a script')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await dialog.findByRole('table', { name: 'Points of ana' })).toBeDefined()
})

test('deletes an account after confirmation', async () => {
  const deleteAccount = vi.fn(noContent)
  mockFetch({
    'GET /api/admin/supporters': () => Response.json([buildAna(0)]),
    'DELETE /api/admin/supporters/7': deleteAccount,
  })
  await renderWithProviders(<SupportersTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete ana' }))
  expect(deleteAccount).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(deleteAccount).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete for good' })).toBeNull())
})

test('excludes a banned supporter’s votes and includes them again', async () => {
  let votesExcluded = false
  const setExcluded = (excluded: boolean) => () => {
    votesExcluded = excluded
    return noContent()
  }
  mockFetch({
    'GET /api/admin/supporters': () => Response.json([{ ...buildAna(0), banned: true, votesExcluded }]),
    'POST /api/admin/supporters/7/exclude-votes': setExcluded(true),
    'POST /api/admin/supporters/7/include-votes': setExcluded(false),
  })
  await renderWithProviders(<SupportersTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Exclude the votes of ana' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Count the votes of ana' }))
  expect(await screen.findByRole('button', { name: 'Exclude the votes of ana' })).toBeDefined()
})
