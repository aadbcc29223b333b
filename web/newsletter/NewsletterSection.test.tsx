import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { mockFetch, renderWithProviders, toastText } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { NewsletterSection } from './NewsletterSection'

async function subscribe(email: string, response: unknown, queryClient = newQueryClient()) {
  const { sent } = mockFetch({ 'POST /api/newsletter/subscribe': response })
  await renderWithProviders(<NewsletterSection />, { queryClient })
  const field = screen.getByLabelText('Email')
  fireEvent.change(field, { target: { value: email } })
  fireEvent.submit(field.closest('form')!)
  return { posts: () => sent.filter((request) => request.startsWith('POST')) }
}

test.each([
  ['', 'Email required'],
  ['   ', 'Email required'],
  ['not an address', 'Invalid email'],
  ['a@b', 'Invalid email'],
])('does not send the address %o', async (email, title) => {
  const { posts } = await subscribe(email, { pointsEarned: 0 })
  expect(toastText()).toBe(`destructive | ${title} | Please enter a valid email address.`)
  expect(posts()).toEqual([])
})

test('trims the address and clears the field', async () => {
  const { posts } = await subscribe(' fan@example.com ', { pointsEarned: 0 })
  await waitFor(() => expect(toastText()).toContain('plain | Successfully subscribed!'))
  expect(posts()).toEqual(['POST /api/newsletter/subscribe {"email":"fan@example.com"}'])
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('')
})

const missions = [{ id: 'list', title: 'Join the newsletter', points: 25 }]
test.each([
  ['supporter', { pointsEarned: 50 }, ' +50 points earned!'],
  ['supporter', { pointsEarned: 50, missions }, ' +50 points earned and +25 for the mission “Join the newsletter”!'],
  ['supporter', { pointsEarned: 0 }, ''],
  ['visitor', { pointsEarned: 0 }, ' Sign up to earn points!'],
])('shows what the subscription of a %s earned: %j', async (role, response, earnedText) => {
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, role === 'visitor' ? null : buildSupporter())
  await subscribe('fan@example.com', response, queryClient)
  const text = `You'll be the first to know about new merch drops.${earnedText} Check your inbox to confirm.`
  await waitFor(() => expect(toastText()).toBe(`plain | Successfully subscribed! | ${text}`))
})

test('shows Joining... while the request is pending', async () => {
  const response = Promise.withResolvers<Response>()
  await subscribe('fan@example.com', () => response.promise)
  const button = await screen.findByRole('button', { name: 'Joining...' })
  response.resolve(Response.json({ pointsEarned: 0 }))
  await waitFor(() => expect(button.textContent).toBe('Subscribe'))
})

test('shows the server’s error message', async () => {
  await subscribe('fan@example.com', () => new Response('Please slow down.', { status: 429 }))
  await waitFor(() => expect(toastText()).toBe('destructive | Subscription failed | 429: Please slow down.'))
})

test.each([
  ['supporter', true, { id: 1 }],
  ['visitor', false, null],
])('a %s who subscribes invalidates queries that show points: %s', async (_, isInvalidated, me) => {
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, me as never)
  const pointsKeys = [['leaderboard'], ['missions'], ['points', 'history']]
  for (const key of pointsKeys) queryClient.setQueryData(key, [])
  await subscribe('fan@example.com', { pointsEarned: 0 }, queryClient)
  await waitFor(() => expect(toastText()).toContain('Successfully subscribed!'))
  for (const key of [sessionQuery.queryKey, ...pointsKeys])
    expect([key, queryClient.getQueryState(key)?.isInvalidated]).toEqual([key, isInvalidated])
})
