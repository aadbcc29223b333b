import { fireEvent, screen, waitFor } from '@testing-library/react'
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

test('two presses create one secret', async () => {
  const secretResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch({
    'GET /api/admin/second-factor': { enabled: false, recoveryCodesLeft: 0 },
    'POST /api/admin/second-factor/begin': () => secretResponse.promise,
  })
  await renderWithProviders(<SecurityTab />)
  const button = await screen.findByRole('button', { name: 'Turn it on' })
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(button)
  secretResponse.resolve(Response.json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/a', qr: '<svg/>' }))
  expect(await screen.findByText('ABCDEFGH')).toBeDefined()
  expect(sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})
