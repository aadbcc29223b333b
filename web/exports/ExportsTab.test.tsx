import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ExportFile, ExportSchedule } from '../../worker/contract/exports'
import {
  changeField,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { Toaster } from '../ui/Toaster'
import { ExportsTab } from './ExportsTab'

const expiredFile: ExportFile = {
  id: 'e1',
  kind: 'points',
  state: 'expired',
  requestedBy: 'boss',
  requestedAt: '2026-07-01T16:00:00Z',
  rows: 3,
  sizeBytes: 120,
  sha256: null,
  expiresAt: null,
  columns: ['entry'],
  fileName: 'points-2026-07-01.csv',
}
const weeklyExport: ExportSchedule = {
  id: 's1',
  kind: 'orders',
  columns: ['id', 'amount'],
  nextAt: '2026-07-06T11:00:00Z',
  requestedBy: 'boss',
  email: 'b…@mail.example',
  isOwn: true,
}

async function openTab(schedules: readonly ExportSchedule[] = [], responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/exports': [expiredFile],
    'GET /api/admin/export-columns': [
      { kind: 'supporters', columns: ['id', 'email', 'emailVerified'] },
      { kind: 'orders', columns: ['id', 'amount', 'email'] },
    ],
    'GET /api/admin/export-schedules': schedules,
    'POST /api/admin/exports': expiredFile,
    'POST /api/admin/export-schedules': weeklyExport,
    'DELETE /api/admin/export-schedules/s1': noContent,
    ...responses,
  })
  const view = (
    <>
      <ExportsTab />
      <Toaster />
    </>
  )
  await renderWithProviders(view)
  await screen.findByText('All 3 columns')
  return network
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const tickCheckbox = (name: string) => fireEvent.click(screen.getByLabelText(name))

test('exports the chosen columns', async () => {
  const { sent } = await openTab()
  press('Export')
  await waitFor(() => expect(sent).toContain('POST /api/admin/exports {"kind":"supporters"}'))
  tickCheckbox('Email verified')
  expect(screen.getByText('2 of 3 columns')).toBeDefined()
  press('Export')
  await waitFor(() => expect(sent).toContain('POST /api/admin/exports {"kind":"supporters","columns":["id","email"]}'))
})

test('asks for at least one column', async () => {
  const { sent } = await openTab()
  press('Choose none')
  press('Export')
  expect(screen.getByText('Choose at least one column.')).toBeDefined()
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('exports an expired file again with its columns', async () => {
  const { sent } = await openTab()
  fireEvent.click(await screen.findByRole('button', { name: 'Export Points ledger again' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/exports {"kind":"points","columns":["entry"]}'))
})

test('sets up a weekly export and names the recipient', async () => {
  const { sent } = await openTab()
  changeField('Data', 'orders')
  tickCheckbox('Email')
  press('Export every week')
  await waitFor(() =>
    expect(toastText()).toMatch(/Weekly export set up \| The next link goes to b…@mail.example on Jul 6/),
  )
  expect(sent).toContain('POST /api/admin/export-schedules {"kind":"orders","columns":["id","amount"]}')
})

test('stops a weekly export and restores it by undo', async () => {
  const { sent } = await openTab([weeklyExport, { ...weeklyExport, id: 's2', isOwn: false, requestedBy: 'other' }])
  expect(await screen.findByText(/to other, b…@mail.example/)).toBeDefined()
  press('Stop the weekly export of Orders')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(sent).toContain('DELETE /api/admin/export-schedules/s1')
  await waitFor(() =>
    expect(sent).toContain('POST /api/admin/export-schedules {"kind":"orders","columns":["id","amount"]}'),
  )
})
