import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { mockFetch, renderWithProviders, toastText } from '../testing/render'
import { toast } from '../ui/toast'
import { ShowPrompts } from './ShowPrompts'

const acceptedAlert = { 'POST /api/shows/alerts': () => new Response(null, { status: 202 }) }

/** Presses the button and enters a text into its prompt; null cancels the prompt. */
async function enterInPrompt(name: string, typed: string | null, queryClient = newQueryClient()) {
  vi.stubGlobal('prompt', () => typed)
  await renderWithProviders(<ShowPrompts />, { queryClient })
  fireEvent.click(screen.getByRole('button', { name }))
}

test.each([null, '', '   '])('sends nothing for the entry %o', async (typed) => {
  const { sent } = mockFetch(acceptedAlert)
  await enterInPrompt('Get Show Alerts', typed)
  expect(sent).toEqual([])
})

test('sends a trimmed entry and thanks the visitor', async () => {
  const { sent } = mockFetch(acceptedAlert)
  await enterInPrompt('Get Show Alerts', '  fan@example.com ')
  await waitFor(() =>
    expect(toastText()).toBe('plain | Show alerts | Thank you. Your show alert is set. Check your inbox to confirm.'),
  )
  expect(sent).toEqual(['POST /api/shows/alerts {"entry":"fan@example.com"}'])
})

test('ignores clicks and keeps focus while an entry is sent', async () => {
  const { sent } = mockFetch({ 'POST /api/shows/city-requests': () => new Promise<never>(() => {}) })
  await enterInPrompt('Request a City', 'Miami')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Request a City' })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(button)
  expect([button.disabled, sent.length]).toEqual([false, 1])
})

test('cuts long entries without splitting a character', async () => {
  const { sent } = mockFetch({ 'POST /api/shows/city-requests': () => new Response(null, { status: 202 }) })
  await enterInPrompt('Request a City', `${'a'.repeat(199)}${'🌴'.repeat(5000)}`)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toBe(`POST /api/shows/city-requests {"entry":"${'a'.repeat(199)}"}`)
})

test('shows the server’s error message', async () => {
  mockFetch({ 'POST /api/shows/city-requests': () => new Response('Please slow down.', { status: 429 }) })
  await enterInPrompt('Request a City', 'Miami')
  await waitFor(() => expect(toastText()).toBe('destructive | That was not saved | 429: Please slow down.'))
})

test.each([
  ['a confirmed supporter', 'counted', true, { email: 'fan@example.com', emailVerified: true }],
  ['an unconfirmed supporter', 'saved', true, { email: 'fan@example.com', emailVerified: false }],
  ['a supporter without an email', 'saved', false, { email: '', emailVerified: false }],
  ['a visitor', 'saved', false, null],
])('a city request by %s is %s', async (_, outcome, hasEmail, me) => {
  mockFetch({ 'POST /api/shows/city-requests': () => new Response(null, { status: 202 }) })
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, me as never)
  // Replaces the toast of the test before.
  toast({ title: 'Earlier', text: '' })
  await enterInPrompt('Request a City', 'Miami', queryClient)
  await waitFor(() => expect(toastText()).toContain(`Your request is ${outcome}.`))
  expect(toastText()?.includes('Check your inbox to confirm.')).toBe(hasEmail)
})
