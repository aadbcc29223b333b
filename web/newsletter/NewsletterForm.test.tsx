import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders, toastText } from '../testing/render'
import { NewsletterForm } from './NewsletterForm'

const SUBSCRIBE = 'POST /api/newsletter/subscribe'

async function submit(email: string, response: unknown) {
  const { sent } = mockFetch({ 'GET /api/auth/status': null, [SUBSCRIBE]: response })
  await renderWithProviders(<NewsletterForm />)
  const field = screen.getByLabelText('Email') as HTMLInputElement
  fireEvent.change(field, { target: { value: email } })
  fireEvent.submit(field.closest('form')!)
  return { posts: () => sent.filter((request) => request.startsWith('POST')), field }
}

test('has a required email field', async () => {
  const { field } = await submit('', {})
  expect([field.type, field.required]).toEqual(['email', true])
})

test.each(['', '   '])('does not send the empty address %o', async (email) => {
  const { posts } = await submit(email, {})
  expect(posts()).toEqual([])
  expect(toastText()).toBe('')
})

test.each([
  [0, "You'll be the first to know about new merch drops. Sign up to earn points! Check your inbox to confirm."],
  [50, "You'll be the first to know about new merch drops. +50 points earned! Check your inbox to confirm."],
])('with %i earned points, shows text and clears the field', async (pointsEarned, text) => {
  const { posts, field } = await submit('fan@example.com', { pointsEarned })
  await waitFor(() => expect(toastText()).toBe(`plain | Successfully subscribed! | ${text}`))
  expect(posts()).toEqual([`${SUBSCRIBE} {"email":"fan@example.com"}`])
  expect(field.value).toBe('')
})

test('shows an error and keeps the address', async () => {
  const { field } = await submit('fan@example.com', () => new Response('No.', { status: 500 }))
  await waitFor(() => expect(toastText()).toBe('destructive | Error | Failed to subscribe. Please try again.'))
  expect(field.value).toBe('fan@example.com')
})
