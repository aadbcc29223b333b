import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Archive } from '../../worker/contract/archives'
import { mockFetch, renderWithProviders } from '../testing/render'
import { ArchivesPanel } from './ArchivesPanel'

const archive: Archive = {
  id: 'a1',
  state: 'ready',
  requestedBy: null,
  requestedAt: '2026-07-01T16:00:00Z',
  encrypted: false,
  rows: 1,
  files: 2,
  sizeBytes: 3000,
  expiresAt: '2026-08-01T16:00:00Z',
}

test('does not call every archive without an admin weekly', async () => {
  mockFetch({ 'GET /api/admin/archives': [archive, { ...archive, id: 'a2', requestedBy: 'boss' }] })
  await renderWithProviders(<ArchivesPanel />)
  expect(await screen.findByText('by boss')).toBeDefined()
  expect(screen.getByText('weekly or by command line')).toBeDefined()
})
