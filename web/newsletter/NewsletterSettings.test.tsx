import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MyNewsletter } from '../../worker/contract/newsletter'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { NewsletterSettings } from './NewsletterSettings'

const newsletterState = (state: MyNewsletter['state'], more: Partial<MyNewsletter> = {}): MyNewsletter => ({
  state,
  canAsk: state === 'off' || state === 'asked',
  city: null,
  preferences: null,
  ...more,
})
async function open(responses: MockResponses) {
  const mock = mockFetch(responses)
  await renderWithProviders(<NewsletterSettings email="sam@example.com" />)
  return mock
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const toast = () => screen.getByTestId('toast').textContent

test("subscribes the account's address and shows earned points", async () => {
  const states = [newsletterState('off'), newsletterState('asked')]
  const { sent } = await open({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'POST /api/newsletter/subscribe': { pointsEarned: 50 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toast()).toContain('+50 points earned! Check your mail to confirm.'))
  expect(sent).toContain('POST /api/newsletter/subscribe {"email":"sam@example.com"}')
  expect(
    await screen.findByText('A mail with a button waits for you. Press it, and you are on our list.'),
  ).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send the mail again' })).toBeDefined()
})

test('a returning subscriber earns no points', async () => {
  const states = [newsletterState('off'), newsletterState('asked')]
  await open({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'POST /api/newsletter/subscribe': { pointsEarned: 0 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toast()).toContain('Successfully subscribed! | Check your mail to confirm.'))
  expect(toast()).not.toContain('Sign up')
})

test('a subscriber can unsubscribe or change the city', async () => {
  const states = [
    newsletterState('on', { city: 'Tampa', preferences: '/newsletter/unsubscribe?token=t' }),
    newsletterState('off'),
  ]
  await open({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'DELETE /api/account/newsletter': () => new Response(null, { status: 204 }),
  })
  const link = await screen.findByRole('link', { name: 'Change your city' })
  expect(link.getAttribute('href')).toBe('/newsletter/unsubscribe?token=t')
  await press('Unsubscribe')
  await waitFor(() => expect(toast()).toContain('Nothing more is sent to you from our list.'))
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeDefined()
})

test('an unconfirmed address must be confirmed first', async () => {
  await open({ 'GET /api/account/newsletter': newsletterState('unconfirmed') })
  expect(await screen.findByText(/^Confirm your address first/)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test('shows errors and retries', async () => {
  let calls = 0
  await open({
    'GET /api/account/newsletter': () =>
      ++calls === 1 ? new Response('Down.', { status: 500 }) : Response.json(newsletterState('off')),
    'POST /api/newsletter/subscribe': () => new Response('Too many. Please wait a minute.', { status: 429 }),
  })
  expect(await screen.findByText('What you get could not be fetched.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: /again/i }))
  await press('Subscribe')
  await waitFor(() => expect(toast()).toContain('429: Too many. Please wait a minute.'))
})

test.each([
  ['off', 'We have mailed your address as often as we do in a day. Come back tomorrow to join.'],
  ['asked', /^A mail with a button waits for you.* No other is sent today/],
  ['bounced', /^Mail to your address came back to us/],
] as const)('in state %s without an email left, offers no button', async (state, text) => {
  await open({ 'GET /api/account/newsletter': newsletterState(state, { canAsk: false }) })
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test.each([
  [newsletterState('off', { canAsk: false }), 'No mail was sent | We have mailed your address'],
  [newsletterState('bounced'), 'No mail was sent | Mail to your address came back'],
])('reports that no email was sent when the state became %o', async (now, text) => {
  const states = [newsletterState('off'), now]
  await open({
    'GET /api/account/newsletter': () => Response.json(states.shift() ?? now),
    'POST /api/newsletter/subscribe': { pointsEarned: 0 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toast()).toContain(text))
  expect(toast()).not.toContain('Check your mail')
})
