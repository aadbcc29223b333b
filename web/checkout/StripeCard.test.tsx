import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderWithProviders } from '../testing/render'
import { StripeCard } from './StripeCard'

const card = {
  orderId: 'o1',
  clientSecret: 'pi_1_secret_2',
  amountCents: 8900,
  publishableKey: 'pk_test_1',
  getEmail: () => '',
  onReady: () => {},
  validateForm: () => true,
  onWallet: () => {},
}
const stripeScripts = () => [...document.querySelectorAll('script[src^="https://js.stripe.com/"]')]

/** Whether the mocked card form emits `ready`. */
let emitsReady = true
/** Mocks Stripe.js. Its loader caches the mock for all tests of this file. */
function mockStripe() {
  const element = {
    mount: (node: HTMLElement) => node.append('Card number'),
    on: (name: string, listener: () => void) => {
      if (name === 'ready' && emitsReady) setTimeout(listener)
      return element
    },
    off: () => element,
    once: () => element,
    update: () => {},
    destroy: () => {},
  }
  // The mocked browser offers no wallets.
  const wallets: typeof element = {
    ...element,
    mount: () => {},
    on: () => wallets,
    off: () => wallets,
    once: () => wallets,
  }
  const create = (type: string) => (type === 'expressCheckout' ? wallets : element)
  const elements = { create, getElement: () => null, update: () => {}, fetchUpdates: async () => ({}) }
  const noop = () => {}
  const stripe = { elements: () => elements, createToken: noop, createPaymentMethod: noop, confirmCardPayment: noop }
  // The loader warns if `version` is not the Stripe.js release that it expects.
  window.Stripe = Object.assign(() => stripe, { version: 'endive' }) as unknown as typeof window.Stripe
}

test('times out a hanging Stripe script and retries', async () => {
  const appendToHead = document.head.appendChild.bind(document.head)
  // The script is requested but never loads.
  vi.spyOn(document.head, 'appendChild').mockImplementation((node) => {
    if (node instanceof HTMLScriptElement) node.type = 'text/never'
    return appendToHead(node)
  })
  await renderWithProviders(<StripeCard {...card} timeoutMs={500} />)
  expect(screen.getByText('Loading the card form')).toBeDefined()
  const [first] = stripeScripts()
  expect(first).toBeDefined()
  expect(await screen.findByRole('heading', { name: 'The card form did not load' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(stripeScripts()).toHaveLength(1))
  const [second] = stripeScripts()
  expect(second).not.toBe(first)
  mockStripe()
  second?.dispatchEvent(new Event('load'))
  expect(await screen.findByText('Card number')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Loading the card form')).toBeNull())
})

test('shows an error when the card form never becomes ready', async () => {
  emitsReady = false
  mockStripe()
  await renderWithProviders(<StripeCard {...card} timeoutMs={50} />)
  expect(await screen.findByRole('heading', { name: 'The card form did not load' })).toBeDefined()
})
