import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { SecurityTab } from './SecurityTab'

test('shows a failed load and retries', async () => {
  const responses = [new Response('Down.', { status: 503 }), Response.json({ enabled: true, recoveryCodesLeft: 9 })]
  mockFetch({ 'GET /api/admin/second-factor': () => responses.shift()! })
  await renderWithProviders(<SecurityTab />)
  expect(await screen.findByText('The security settings could not be loaded.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('On. 9 recovery codes left.')).toBeDefined()
})
