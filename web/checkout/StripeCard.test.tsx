import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderWithProviders } from '../testing/render'
import { StripeCard } from './StripeCard'

const card = {
  ...{ orderId: 'o1', clientSecret: 'pi_1_secret_2', amountCents: 8900, publishableKey: 'pk_test_1' },
  ...{ email: () => '', onReady: () => {} },
}
const scripts = () => [...document.querySelectorAll('script[src^="https://js.stripe.com/"]')]

/** Whether the form says that it is ready, or never does. */
let isReady = true
/** Stripe's script as far as the form needs it. Its loader keeps what has come for good. */
function stripeScript() {
  const element = {
    mount: (node: HTMLElement) => node.append('Card number'),
    on: (name: string, listener: () => void) => {
      if (name === 'ready' && isReady) setTimeout(listener)
      return element
    },
    ...{ off: () => element, once: () => element, update: () => {}, destroy: () => {} },
  }
  const elements = { create: () => element, getElement: () => null, update: () => {}, fetchUpdates: async () => ({}) }
  const none = () => {}
  const made = { elements: () => elements, createToken: none, createPaymentMethod: none, confirmCardPayment: none }
  window.Stripe = Object.assign(() => made, { version: 'endive' }) as unknown as typeof window.Stripe
}

test('a script that neither comes nor fails ends in the panel, and Retry fetches it anew', async () => {
  const append = document.head.appendChild.bind(document.head)
  // It is asked for, and nothing ever answers.
  vi.spyOn(document.head, 'appendChild').mockImplementation((node) => {
    if (node instanceof HTMLScriptElement) node.type = 'text/never'
    return append(node)
  })
  await renderWithProviders(<StripeCard {...card} patienceMs={500} />)
  expect(screen.getByText('Fetching the card form')).toBeDefined()
  const [first] = scripts()
  expect(first).toBeDefined()
  expect(await screen.findByRole('heading', { name: 'The card form did not load' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(scripts()).toHaveLength(1))
  const [second] = scripts()
  expect(second).not.toBe(first)
  stripeScript()
  second?.dispatchEvent(new Event('load'))
  expect(await screen.findByText('Card number')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Fetching the card form')).toBeNull())
})

test('a form that is never ready ends in the panel as well', async () => {
  isReady = false
  stripeScript()
  await renderWithProviders(<StripeCard {...card} patienceMs={50} />)
  expect(await screen.findByRole('heading', { name: 'The card form did not load' })).toBeDefined()
})
