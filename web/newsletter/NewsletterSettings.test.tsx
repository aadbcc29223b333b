import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MyNewsletter } from '../../worker/contract/newsletter'
import { type MockResponses, mockFetch, noContent, renderWithProviders, toastText } from '../testing/render'
import { NewsletterSettings } from './NewsletterSettings'

const buildNewsletter = (state: MyNewsletter['state'], changes: Partial<MyNewsletter> = {}): MyNewsletter => ({
  state,
  canAsk: state === 'off' || state === 'asked',
  city: null,
  preferences: null,
  ...changes,
})
async function openSettings(responses: MockResponses) {
  const network = mockFetch(responses)
  await renderWithProviders(<NewsletterSettings email="sam@example.com" />)
  return network
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test("subscribes the account's address and shows earned points", async () => {
  const states = [buildNewsletter('off'), buildNewsletter('asked')]
  const { sent } = await openSettings({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'POST /api/newsletter/subscribe': { pointsEarned: 50 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toastText()).toContain('+50 points earned! Check your inbox to confirm.'))
  expect(sent).toContain('POST /api/newsletter/subscribe {"email":"sam@example.com"}')
  expect(await screen.findByText('We sent you an email. Open its link to confirm your subscription.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send the email again' })).toBeDefined()
})

test('a returning subscriber earns no points', async () => {
  const states = [buildNewsletter('off'), buildNewsletter('asked')]
  await openSettings({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'POST /api/newsletter/subscribe': { pointsEarned: 0 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toastText()).toContain('Successfully subscribed! | Check your inbox to confirm.'))
  expect(toastText()).not.toContain('Sign up')
})

test('a subscriber can unsubscribe or change the city', async () => {
  const states = [
    buildNewsletter('on', { city: 'Tampa', preferences: '/newsletter/unsubscribe?token=t' }),
    buildNewsletter('off'),
  ]
  await openSettings({
    'GET /api/account/newsletter': () => Response.json(states.shift()),
    'DELETE /api/account/newsletter': noContent,
  })
  const link = await screen.findByRole('link', { name: 'Change your city' })
  expect(link.getAttribute('href')).toBe('/newsletter/unsubscribe?token=t')
  await press('Unsubscribe')
  await waitFor(() => expect(toastText()).toContain('You won’t get the newsletter anymore.'))
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeDefined()
})

test('an unconfirmed address must be confirmed first', async () => {
  await openSettings({ 'GET /api/account/newsletter': buildNewsletter('unconfirmed') })
  expect(await screen.findByText(/^Confirm your email first/)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test('reports failed loads and subscriptions, and can be retried', async () => {
  const responses = [new Response('Down.', { status: 500 })]
  await openSettings({
    'GET /api/account/newsletter': () => responses.shift() ?? Response.json(buildNewsletter('off')),
    'POST /api/newsletter/subscribe': () => new Response('Too many. Please wait a minute.', { status: 429 }),
  })
  expect(await screen.findByText('Your newsletter settings could not be loaded.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: /again/i }))
  await press('Subscribe')
  await waitFor(() => expect(toastText()).toContain('429: Too many. Please wait a minute.'))
})

test.each([
  ['off', 'We have sent as many emails to your address as we can today. Come back tomorrow to subscribe.'],
  ['asked', /^We sent you an email.* We can’t send another today/],
  ['bounced', /^Emails to your address bounced/],
] as const)('offers no button in state %s if emails are blocked', async (state, text) => {
  await openSettings({ 'GET /api/account/newsletter': buildNewsletter(state, { canAsk: false }) })
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test.each([
  [buildNewsletter('off', { canAsk: false }), 'No email was sent | We have sent as many emails to your address'],
  [buildNewsletter('bounced'), 'No email was sent | Emails to your address bounced'],
])('reports that no email was sent in state %o', async (newState, text) => {
  const states = [buildNewsletter('off'), newState]
  await openSettings({
    'GET /api/account/newsletter': () => Response.json(states.shift() ?? newState),
    'POST /api/newsletter/subscribe': { pointsEarned: 0 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toastText()).toContain(text))
  expect(toastText()).not.toContain('Check your inbox')
})
