import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '../../worker/contract/subscriptions'
import { type MockResponses, renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
import { toast } from '../ui/toast'

const buildTier = (id: 'bronze' | 'silver' | 'gold', priceCents: number) => ({
  id,
  name: id[0]?.toUpperCase() + id.slice(1),
  priceCents,
  features: [`${id} benefits`],
  popular: id === 'silver',
})
const site = buildSite({
  subscriptions: true,
  tiers: [buildTier('bronze', 0), buildTier('silver', 1500), buildTier('gold', 3500)],
})
const silver: Subscription = {
  tier: 'silver',
  status: 'active',
  trialEndsAt: '2027-01-08T12:00:00Z',
  periodEndsAt: '2027-02-01T12:00:00Z',
  cancels: false,
}
const CHECKOUT = 'POST /api/subscriptions/checkout'
const PORTAL = 'POST /api/subscriptions/portal'

const openPage = (subscription: Subscription | null, responses: MockResponses = {}, path = '/subscribe') =>
  renderApp(path, {
    'GET /api/config': site,
    'GET /api/auth/status': buildSupporter(),
    'GET /api/subscriptions/status': {
      tier: subscription?.tier ?? 'bronze',
      subscription,
      trialAvailable: subscription === null,
    },
    ...responses,
  })

/** Opens the page without a session, on a site where subscriptions are disabled. */
const openAsVisitor = (path = '/subscribe') =>
  renderApp(path, { 'GET /api/config': { ...site, subscriptions: false }, 'GET /api/auth/status': null })

beforeEach(() => {
  vi.spyOn(location, 'assign').mockImplementation(() => {})
  // Replaces a toast that the previous test left open.
  toast({ title: 'Nothing' }).dismiss()
})

test('starts a trial on the provider’s page', async () => {
  const { sent } = await openPage(null, { [CHECKOUT]: { url: 'https://pay.example/s' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Start free trial of Gold' }))
  await waitFor(() => expect(location.assign).toHaveBeenCalledWith('https://pay.example/s'))
  expect(sent).toContain(`${CHECKOUT} {"tier":"gold"}`)
})

test('a subscriber can cancel while subscriptions are disabled', async () => {
  const disabledSite = { ...site, subscriptions: false }
  const responses = { 'GET /api/config': disabledSite, 'GET /api/auth/status': buildSupporter({ tier: 'silver' }) }
  await openPage(silver, { ...responses, [PORTAL]: { url: 'https://pay.example/p' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Manage or cancel' }))
  await waitFor(() => expect(location.assign).toHaveBeenCalledWith('https://pay.example/p'))
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe to Gold' }))
  expect(await screen.findByText('Coming Soon!', undefined, { timeout: 4000 })).toBeDefined()
})

test.each([
  ['silver', ['Current Plan', 'Subscribe']],
  ['gold', ['Included', 'Current Plan']],
] as const)('marks the current and included tiers of a %s member', async (tier, labels) => {
  const disabledSite = { ...site, subscriptions: false }
  await openPage(null, { 'GET /api/config': disabledSite, 'GET /api/auth/status': buildSupporter({ tier }) })
  await waitFor(async () =>
    expect((await screen.findAllByRole('article')).map((card) => card.querySelector('button')?.textContent)).toEqual(
      labels,
    ),
  )
})

test('sends a visitor to log in, returning to the tier', async () => {
  const { router } = await openPage(null, { 'GET /api/auth/status': null })
  fireEvent.click(await screen.findByRole('button', { name: 'Subscribe to Silver' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toMatchObject({ return: '/subscribe?tier=silver' })
})

test('manages a subscription and changes its tier after confirmation', async () => {
  const { sent } = await openPage(silver, { [PORTAL]: { url: 'https://pay.example/p' }, [CHECKOUT]: { url: null } })
  expect(await screen.findByText('Renews on February 1, 2027 at $15 a month.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Current Plan' }).getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(screen.getByRole('button', { name: 'Manage or cancel' }))
  await waitFor(() => expect(location.assign).toHaveBeenCalledWith('https://pay.example/p'))
  fireEvent.click(screen.getByRole('button', { name: 'Change to Gold' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change to Gold?' })
  expect(sent.filter((request) => request.startsWith(CHECKOUT))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Change to Gold' }))
  await waitFor(() => expect(sent).toContain(`${CHECKOUT} {"tier":"gold"}`))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  [{ status: 'trialing' }, 'Free until January 8, 2027, then $15 a month. Cancel anytime.', 'Manage or cancel'],
  [{ status: 'past_due' }, /we will try it again\. You keep Silver/, 'Check your card'],
  [{ status: 'unpaid' }, /Silver is paused\. Pay to resume it/, 'Check your card'],
  [{ cancels: true }, 'Silver is yours until February 1, 2027. Nothing more is charged.', 'Manage or cancel'],
  [{ cancels: true, status: 'trialing' }, /^Silver is yours until/, 'Manage or cancel'],
] as const)('describes a subscription with %o', async (changes, text, action) => {
  await openPage({ ...silver, ...changes })
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.getByRole('button', { name: action })).toBeDefined()
})

test('welcomes the supporter after the server confirms the subscription', async () => {
  let requestCount = 0
  const { router } = await openPage(
    null,
    {
      'GET /api/subscriptions/status': () => {
        requestCount += 1
        return Response.json(
          requestCount === 1
            ? { tier: 'bronze', subscription: null, trialAvailable: true }
            : { tier: 'silver', subscription: { ...silver, status: 'trialing' }, trialAvailable: false },
        )
      },
    },
    '/subscribe?subscribed=silver',
  )
  expect(await screen.findByText('Confirming your subscription')).toBeDefined()
  expect(screen.queryByText('Welcome aboard')).toBeNull()
  expect(await screen.findByText('Welcome aboard', undefined, { timeout: 5000 })).toBeDefined()
  expect(router.state.location.href).toBe('/subscribe')
})

test('stops polling without confirmation and checks again on request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  let isConfirmed = false
  const unconfirmed = { tier: 'bronze', subscription: null, trialAvailable: true }
  const confirmed = { tier: 'silver', subscription: silver, trialAvailable: false }
  const { router } = await openPage(
    null,
    { 'GET /api/subscriptions/status': () => Response.json(isConfirmed ? confirmed : unconfirmed) },
    '/subscribe?subscribed=silver',
  )
  expect(await screen.findByText('Confirming your subscription')).toBeDefined()
  for (let waitedSeconds = 0; waitedSeconds < 62; waitedSeconds += 2) await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(await screen.findByText('Your subscription is not confirmed yet')).toBeDefined()
  expect(screen.getByText(/there is no need to do it again/)).toBeDefined()
  expect(screen.queryByText('Confirming your subscription')).toBeNull()
  isConfirmed = true
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await act(() => vi.advanceTimersByTimeAsync(2000))
  vi.useRealTimers()
  await waitFor(() => expect(router.state.location.href).toBe('/subscribe'))
})

test.each([
  [true, /^Both begin with a/],
  [false, 'You have already used your free trial, so both are charged from the first day. Cancel anytime.'],
])('describes the free trial (available: %s)', async (trialAvailable, text) => {
  const status = { tier: 'bronze', subscription: null, trialAvailable }
  await openPage(null, { 'GET /api/subscriptions/status': status })
  await screen.findByRole('button', { name: trialAvailable ? 'Start free trial of Gold' : 'Subscribe to Gold' })
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByText('7-day free trial') !== null).toBe(trialAvailable)
})

test('shows the server’s error', async () => {
  await openPage(null, { [CHECKOUT]: () => new Response('The provider does not answer.', { status: 503 }) })
  fireEvent.click(await screen.findByRole('button', { name: 'Start free trial of Gold' }))
  expect(await screen.findByText('503: The provider does not answer.', undefined, { timeout: 4000 })).toBeDefined()
})

test.each([
  ['silver', 'Silver'],
  ['gold', 'Gold'],
  ['vip', 'Gold'],
])('?tier=%s marks %s and focuses its button', async (tierParam, markedTier) => {
  await openAsVisitor(`/subscribe?tier=${tierParam}`)
  const button = await screen.findByRole('button', { name: `Subscribe to ${markedTier}` })
  expect(document.activeElement).toBe(button)
  expect(button.closest('article')?.dataset.chosen).toBe('true')
})

test('marks no tier without the parameter', async () => {
  await openAsVisitor()
  const cards = await screen.findAllByRole('article')
  expect(cards.map((card) => card.dataset.chosen)).toEqual([undefined, undefined])
  expect(screen.getByText('Most Popular').closest('article')).toBe(cards[0])
})

test('announces subscriptions as coming while they are disabled', async () => {
  await openAsVisitor()
  fireEvent.click(await screen.findByRole('button', { name: 'Subscribe to Gold' }))
  // The toast viewport is loaded with the first toast.
  expect(await screen.findByText('Coming Soon!', undefined, { timeout: 4000 })).toBeDefined()
  expect(screen.getByText('Subscription payments will be available soon.')).toBeDefined()
})
