import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AdminPointsEntry, AdminSupporter } from '../../worker/contract/admin'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { SupportersTab } from './SupportersTab'

const ana = (points: number): AdminSupporter => ({
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
const entry = (changes: Partial<AdminPointsEntry> = {}): AdminPointsEntry => ({
  id: '31',
  action: 'poll_vote',
  description: 'Voted in “Which song?”',
  points: 10,
  createdAt: '2026-07-02T00:00:00Z',
  state: 'stands',
  ...changes,
})
const VOID = 'POST /api/admin/points/31/void'
const reversal = entry({ id: '32', description: 'Taken back: By a script', points: -10, state: 'reversal' })

async function openPoints(responses: MockResponses = {}) {
  let isReversed = false
  const network = mockFetch({
    'GET /api/admin/supporters': () => Response.json([ana(isReversed ? 0 : 10)]),
    'GET /api/admin/supporters/7/points': () =>
      Response.json(isReversed ? [reversal, entry({ state: 'taken_back' })] : [entry()]),
    [VOID]: () => {
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
  const { dialog, sent } = await openPoints()
  fireEvent.click(dialog.getByRole('button', { name: 'Void' }))
  expect(dialog.getByText('Please say why.')).toBeDefined()
  expect(sent.filter((line) => line.includes('void'))).toEqual([])
  submitReason(dialog, 'By a script')
  expect(await dialog.findByText('Taken back: By a script')).toBeDefined()
  expect(sent).toContain(`${VOID} {"reason":"By a script"}`)
  await waitFor(() => expect(dialog.getByText('0', { selector: 'strong' })).toBeDefined())
  expect(dialog.getAllByRole('row').map((row) => row.textContent)).toEqual([
    expect.stringContaining('When'),
    expect.stringMatching(/Taken back: By a script.*−10.*Reversal$/),
    expect.stringMatching(/Which song.*\+10.*Taken back$/),
  ])
})

test('keeps the typed reason after an error', async () => {
  const { dialog } = await openPoints({
    [VOID]: () => new Response('These points have been taken back already.', { status: 409 }),
  })
  submitReason(dialog, 'By a script')
  expect(await dialog.findByText('These points have been taken back already.')).toBeDefined()
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('By a script')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await dialog.findByRole('table', { name: 'Points of ana' })).toBeDefined()
})

test('deletes an account after confirmation', async () => {
  const deleted = vi.fn(() => new Response(null, { status: 204 }))
  mockFetch({ 'GET /api/admin/supporters': () => Response.json([ana(0)]), 'DELETE /api/admin/supporters/7': deleted })
  await renderWithProviders(<SupportersTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete ana' }))
  expect(deleted).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(deleted).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete for good' })).toBeNull())
})

test('excludes and includes the votes of a banned supporter', async () => {
  let votesExcluded = false
  const change = (excluded: boolean) => () => {
    votesExcluded = excluded
    return new Response(null, { status: 204 })
  }
  mockFetch({
    'GET /api/admin/supporters': () => Response.json([{ ...ana(0), banned: true, votesExcluded }]),
    'POST /api/admin/supporters/7/exclude-votes': change(true),
    'POST /api/admin/supporters/7/include-votes': change(false),
  })
  await renderWithProviders(<SupportersTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Exclude the votes of ana' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Count the votes of ana' }))
  expect(await screen.findByRole('button', { name: 'Exclude the votes of ana' })).toBeDefined()
})
