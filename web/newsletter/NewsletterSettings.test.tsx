import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MyNewsletter } from '../../worker/contract/newsletter'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { NewsletterSettings } from './NewsletterSettings'

const is = (state: MyNewsletter['state'], more: Partial<MyNewsletter> = {}): MyNewsletter => ({
  state,
  canAsk: state === 'off' || state === 'asked',
  city: null,
  preferences: null,
  ...more,
})
async function openPart(farSide: MockResponses) {
  const far = mockFetch(farSide)
  await renderWithProviders(<NewsletterSettings email="sam@example.com" />)
  return far
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const toast = () => screen.getByTestId('toast').textContent

test('a supporter joins with their own address, is told of the points, and that a mail waits', async () => {
  const responses = [is('off'), is('asked')]
  const { sent } = await openPart({
    'GET /api/account/newsletter': () => Response.json(responses.shift()),
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

test('who comes back is paid nothing, and not told to sign up', async () => {
  const responses = [is('off'), is('asked')]
  await openPart({
    'GET /api/account/newsletter': () => Response.json(responses.shift()),
    'POST /api/newsletter/subscribe': { pointsEarned: 0 },
  })
  await press('Subscribe')
  await waitFor(() => expect(toast()).toContain('Successfully subscribed! | Check your mail to confirm.'))
  expect(toast()).not.toContain('Sign up')
})

test('who is on the list leaves in one press, or says where they live', async () => {
  const responses = [is('on', { city: 'Tampa', preferences: '/newsletter/unsubscribe?token=t' }), is('off')]
  await openPart({
    'GET /api/account/newsletter': () => Response.json(responses.shift()),
    'DELETE /api/account/newsletter': () => new Response(null, { status: 204 }),
  })
  const link = await screen.findByRole('link', { name: 'Change your city' })
  expect(link.getAttribute('href')).toBe('/newsletter/unsubscribe?token=t')
  await press('Unsubscribe')
  await waitFor(() => expect(toast()).toContain('Nothing more is sent to you from our list.'))
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeDefined()
})

test('an account whose address is not confirmed is told to do that first', async () => {
  await openPart({ 'GET /api/account/newsletter': is('unconfirmed') })
  expect(await screen.findByText(/^Confirm your address first/)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test('a failure says why and changes nothing, and what cannot be fetched is asked for again', async () => {
  let calls = 0
  await openPart({
    'GET /api/account/newsletter': () =>
      ++calls === 1 ? new Response('Down.', { status: 500 }) : Response.json(is('off')),
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
] as const)('%s, and no mail would come: the page says so and has no button', async (state, said) => {
  await openPart({ 'GET /api/account/newsletter': is(state, { canAsk: false }) })
  expect(await screen.findByText(said)).toBeDefined()
  expect(screen.queryByRole('button')).toBe(null)
})

test.each([
  [is('off', { canAsk: false }), 'No mail was sent | We have mailed your address'],
  [is('bounced'), 'No mail was sent | Mail to your address came back'],
])(
  'a press that sent no mail, because meanwhile it stands thus: %o, is not told to check the mail',
  async (now, said) => {
    const responses = [is('off'), now]
    await openPart({
      'GET /api/account/newsletter': () => Response.json(responses.shift() ?? now),
      'POST /api/newsletter/subscribe': { pointsEarned: 0 },
    })
    await press('Subscribe')
    await waitFor(() => expect(toast()).toContain(said))
    expect(toast()).not.toContain('Check your mail')
  },
)
