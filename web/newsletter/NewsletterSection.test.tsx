import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { authStatus } from '../auth/auth.queries'
import { newQueries } from '../queries'
import { mockFetch, renderWithProviders } from '../testing/render'
import { NewsletterSection } from './NewsletterSection'

const toast = () => screen.getByTestId('toast').textContent

async function subscribe(email: string, response: unknown, queries = newQueries()) {
  const { sent } = mockFetch({ 'POST /api/newsletter/subscribe': response })
  await renderWithProviders(<NewsletterSection />, { queries })
  const field = screen.getByLabelText('Email')
  fireEvent.change(field, { target: { value: email } })
  fireEvent.submit(field.closest('form')!)
  return { posts: () => sent.filter((line) => line.startsWith('POST')) }
}

test.each([
  ['', 'Email required'],
  ['   ', 'Email required'],
  ['not an address', 'Invalid email'],
  ['a@b', 'Invalid email'],
])('does not send the address %o', async (email, title) => {
  const { posts } = await subscribe(email, { pointsEarned: 0 })
  expect(toast()).toBe(`destructive | ${title} | Please enter a valid email address.`)
  expect(posts()).toEqual([])
})

test('trims the address and clears the field', async () => {
  const { posts } = await subscribe(' fan@example.com ', { pointsEarned: 0 })
  await waitFor(() => expect(toast()).toContain('plain | Successfully subscribed!'))
  expect(posts()).toEqual(['POST /api/newsletter/subscribe {"email":"fan@example.com"}'])
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('')
})

test.each([
  [50, "You'll be the first to know about new merch drops. +50 points earned! Check your mail to confirm."],
  [0, "You'll be the first to know about new merch drops. Sign up to earn points! Check your mail to confirm."],
])('a subscription that earns %i points says so', async (pointsEarned, text) => {
  await subscribe('fan@example.com', { pointsEarned })
  await waitFor(() => expect(toast()).toBe(`plain | Successfully subscribed! | ${text}`))
})

test('the button says Joining... while the request is pending', async () => {
  let release = () => {}
  await subscribe('fan@example.com', () => {
    return new Promise<Response>((resolve) => {
      release = () => resolve(Response.json({ pointsEarned: 0 }))
    })
  })
  const button = await screen.findByRole('button', { name: 'Joining...' })
  release()
  await waitFor(() => expect(button.textContent).toBe('Subscribe'))
})

test('shows the server’s error message', async () => {
  await subscribe('fan@example.com', () => new Response('Please slow down.', { status: 429 }))
  await waitFor(() => expect(toast()).toBe('destructive | Subscription failed | 429: Please slow down.'))
})

test.each([
  ['a supporter subscribed, refetches everything that shows points', { id: 1 }, true],
  ['a visitor subscribed, refetches nothing', null, false],
])('after %s', async (_, me, isInvalidated) => {
  const queries = newQueries()
  queries.setQueryData(authStatus.queryKey, me as never)
  const pointsKeys = [['leaderboard'], ['missions'], ['points', 'history'], ['auth', 'user']]
  for (const key of pointsKeys) queries.setQueryData(key, [])
  await subscribe('fan@example.com', { pointsEarned: 0 }, queries)
  await waitFor(() => expect(toast()).toContain('Successfully subscribed!'))
  for (const key of [authStatus.queryKey, ...pointsKeys])
    expect([key, queries.getQueryState(key)?.isInvalidated]).toEqual([key, isInvalidated])
})
