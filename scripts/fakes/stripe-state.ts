import { createHash } from 'node:crypto'
import type Stripe from 'stripe'

// The fake's objects pick their fields from the SDK's types: a renamed field fails to compile.

type Intent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'currency'
  | 'client_secret'
  | 'created'
  | 'livemode'
  | 'metadata'
  | 'status'
> & { latest_charge: string | null; hooks?: Stripe.PaymentIntent.Hooks }
type Calculation = Pick<Stripe.Tax.Calculation, 'id' | 'object' | 'currency' | 'tax_breakdown'> & {
  shipping_cost: { amount: number; amount_tax: number } | null
  items: { id: string; object: 'tax.calculation_line_item'; reference: string; amount: number; amount_tax: number }[]
}
type Charge = Pick<
  Stripe.Charge,
  'id' | 'object' | 'created' | 'amount' | 'amount_refunded' | 'metadata' | 'status'
> & {
  payment_intent: string
}
type Refund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'status' | 'metadata'> & { payment_intent: string }
type Subscription = Pick<
  Stripe.Subscription,
  'id' | 'object' | 'status' | 'trial_end' | 'cancel_at_period_end' | 'cancel_at' | 'livemode' | 'metadata' | 'created'
> & {
  customer: string
  items: { data: { id: string; current_period_end: number; price: { id: string; unit_amount: number } }[] }
}
type Session = Pick<Stripe.Checkout.Session, 'id' | 'object' | 'url' | 'status' | 'mode'> & {
  customer: string
  price: string
  trialDays: number
  metadata: Record<string, string>
}

/** An error response of Stripe's API. */
export class StripeApiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  constructor(status: number, type: Stripe.RawErrorType | 'idempotency_error', code?: string) {
    super(code ?? type)
    this.status = status
    this.type = type
    this.code = code
  }
}

const notFound = () => new StripeApiError(404, 'invalid_request_error', 'resource_missing')

/** The fake's state and operations. `emit` queues a webhook event. */
export function newStripeState({ isLive, emit }: { isLive: boolean; emit: (type: string, object: object) => void }) {
  let idCount = 0
  const newId = (prefix: string) => `${prefix}_fake${String(++idCount).padStart(4, '0')}`
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const refunds = new Map<string, Refund>()
  const subscriptions = new Map<string, Subscription>()
  const sessions = new Map<string, Session>()
  const calculations = new Map<string, Calculation>()
  const customers = new Map<string, { id: string; object: 'customer'; metadata: Record<string, string> }>()
  /** Ids of charges whose refunds are rejected. */
  const unrefundable = new Set<string>()
  const find = <T>(records: Map<string, T>, id: string): T => {
    const record = records.get(id)
    if (!record) throw notFound()
    return record
  }
  const intentOf = (id: string) => find(intents, id)
  const stringsOf = (form: StripeForm, name: string) => (form[name] ?? {}) as Record<string, string>

  const hooksOf = (form: StripeForm): { hooks?: Stripe.PaymentIntent.Hooks } => {
    const calculation = textAt(form, 'hooks', 'inputs', 'tax', 'calculation')
    if (calculation === undefined) return {}
    find(calculations, calculation)
    return { hooks: { inputs: { tax: { calculation } } } }
  }

  /** Emits the events of a subscription payment: a payment intent without our metadata, and its invoice. */
  function bill(subscription: Subscription): void {
    const paid = { id: newId('pi'), object: 'payment_intent', amount_received: 900, currency: 'usd', metadata: {} }
    emit('payment_intent.created', paid)
    emit('payment_intent.succeeded', paid)
    const parent = { type: 'subscription_details', subscription_details: { subscription: subscription.id } }
    emit('invoice.paid', { id: newId('in'), object: 'invoice', parent })
  }

  return {
    intents,
    charges,
    subscriptions,
    sessions,
    customers,
    calculations,
    unrefundable,
    newId,

    createIntent(form: StripeForm): Intent {
      const amount = Number(textAt(form, 'amount'))
      if (!Number.isInteger(amount) || amount < 50)
        throw new StripeApiError(400, 'invalid_request_error', 'amount_too_small')
      const id = newId('pi')
      const secret = createHash('sha256').update(id).digest('base64url').slice(0, 24)
      const intent: Intent = {
        id,
        object: 'payment_intent',
        amount,
        amount_received: 0,
        livemode: isLive,
        created: nowSeconds(),
        currency: textAt(form, 'currency') ?? '',
        client_secret: `${id}_secret_${secret}`,
        metadata: stringsOf(form, 'metadata'),
        status: 'requires_payment_method',
        latest_charge: null,
        ...hooksOf(form),
      }
      intents.set(id, intent)
      emit('payment_intent.created', intent)
      return intent
    },

    updateIntent(id: string, form: StripeForm): Intent {
      const intent = intentOf(id)
      if (['succeeded', 'canceled', 'processing'].includes(intent.status))
        throw new StripeApiError(400, 'invalid_request_error', 'payment_intent_unexpected_state')
      return Object.assign(intent, { amount: Number(textAt(form, 'amount') ?? intent.amount), ...hooksOf(form) })
    },

    /** Stripe Tax with two registrations: 19 % in Germany, 7 % in Florida. The ZIP code 00000 is unknown. */
    createCalculation(form: StripeForm): Omit<Calculation, 'items'> {
      const address = (field: string) => textAt(form, 'customer_details', 'address', field) ?? ''
      if (address('postal_code') === '00000')
        throw new StripeApiError(400, 'invalid_request_error', 'customer_tax_location_invalid')
      const isGerman = address('country') === 'DE'
      const percent = isGerman ? 19 : address('country') === 'US' && address('state') === 'FL' ? 7 : 0
      const taxOn = (amount: number, behavior: string | undefined) =>
        Math.round((amount * percent) / (behavior === 'inclusive' ? 100 + percent : 100))
      const items = Object.values((form.line_items ?? {}) as Record<string, StripeForm>).map((item) => {
        const amount = Number(textAt(item, 'amount'))
        const amount_tax = taxOn(amount, textAt(item, 'tax_behavior'))
        const reference = textAt(item, 'reference') ?? ''
        return { id: newId('tax_li'), object: 'tax.calculation_line_item' as const, reference, amount, amount_tax }
      })
      const shipping = Number(textAt(form, 'shipping_cost', 'amount') ?? 0)
      const shippingTax = taxOn(shipping, textAt(form, 'shipping_cost', 'tax_behavior'))
      const totalTax = items.reduce((sum, { amount_tax }) => sum + amount_tax, shippingTax)
      const calculation: Calculation = {
        id: newId('taxcalc'),
        object: 'tax.calculation',
        currency: textAt(form, 'currency') ?? '',
        shipping_cost: shipping > 0 ? { amount: shipping, amount_tax: shippingTax } : null,
        tax_breakdown: [
          {
            amount: totalTax,
            inclusive: textAt(form, 'line_items', '0', 'tax_behavior') === 'inclusive',
            tax_rate_details: {
              country: address('country'),
              state: address('state'),
              percentage_decimal: `${percent}.0`,
              tax_type: isGerman ? 'vat' : 'sales_tax',
              flat_amount: null,
              rate_type: 'percentage',
            },
            taxability_reason: percent > 0 ? 'standard_rated' : 'not_collecting',
            taxable_amount: items.reduce((sum, item) => sum + item.amount, shipping),
          },
        ],
        items,
      }
      calculations.set(calculation.id ?? '', calculation)
      const { items: _, ...rest } = calculation
      return rest
    },

    calculationItems: (id: string) => find(calculations, id).items,

    intentOf,
    subscriptionOf: (id: string) => find(subscriptions, id),

    readIntent(id: string, query: string): object {
      const intent = intentOf(id)
      const isExpanded = new URLSearchParams(query).get('expand[0]') === 'latest_charge'
      return isExpanded ? { ...intent, latest_charge: charges.get(intent.latest_charge ?? '') ?? null } : intent
    },

    cancelIntent(id: string): Intent {
      const intent = intentOf(id)
      if (['succeeded', 'canceled'].includes(intent.status))
        throw new StripeApiError(400, 'invalid_request_error', 'payment_intent_unexpected_state')
      intent.status = 'canceled'
      emit('payment_intent.canceled', intent)
      return intent
    },

    /**
     * Confirms an intent as Stripe.js does. The first call with a `challenge` card ends in `requires_action`, the
     * second succeeds. `wallet_declined` is a declined card in Apple Pay.
     */
    confirm(secret: string, card: 'good' | 'declined' | 'challenge' | 'wallet_declined'): Intent {
      const intent = [...intents.values()].find((intent) => intent.client_secret === secret)
      if (!intent) throw notFound()
      if (['succeeded', 'canceled'].includes(intent.status))
        throw new StripeApiError(400, 'invalid_request_error', 'payment_intent_unexpected_state')
      if (card === 'challenge' && intent.status !== 'requires_action') {
        intent.status = 'requires_action'
        emit('payment_intent.requires_action', intent)
      } else if (card === 'declined' || card === 'wallet_declined') {
        intent.status = 'requires_payment_method'
        const method = { type: 'card', card: { wallet: card === 'declined' ? null : { type: 'apple_pay' } } }
        emit('payment_intent.payment_failed', {
          ...intent,
          last_payment_error: { type: 'card_error', code: 'card_declined', payment_method: method },
        })
      } else {
        Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
        const charge: Charge = {
          id: newId('ch'),
          object: 'charge',
          amount: intent.amount,
          amount_refunded: 0,
          status: 'succeeded',
          payment_intent: intent.id,
          metadata: intent.metadata,
          created: nowSeconds(),
        }
        intent.latest_charge = charge.id
        charges.set(charge.id, charge)
        emit('payment_intent.succeeded', intent)
      }
      return intent
    },

    /** Refunds an amount, by default the rest of the charge. */
    refund(form: StripeForm): Refund {
      const charge = [...charges.values()].find((charge) => charge.payment_intent === textAt(form, 'payment_intent'))
      if (!charge) throw notFound()
      if (unrefundable.has(charge.id)) throw new StripeApiError(400, 'invalid_request_error', 'charge_not_refundable')
      if (charge.amount_refunded >= charge.amount)
        throw new StripeApiError(400, 'invalid_request_error', 'charge_already_refunded')
      const refundableAmount = charge.amount - charge.amount_refunded
      const amount = Number(textAt(form, 'amount') ?? refundableAmount)
      if (!Number.isInteger(amount) || amount < 1 || amount > refundableAmount)
        throw new StripeApiError(400, 'invalid_request_error', 'amount_too_large')
      charge.amount_refunded += amount
      const refund: Refund = {
        id: newId('re'),
        object: 'refund',
        amount,
        status: 'succeeded',
        payment_intent: charge.payment_intent,
        metadata: stringsOf(form, 'metadata'),
      }
      refunds.set(refund.id, refund)
      emit('charge.refunded', charge)
      return refund
    },

    refundsOf: (intentId: string) => [...refunds.values()].filter(({ payment_intent }) => payment_intent === intentId),

    /** Fails a refund, as when the bank returns it. */
    failRefund(id: string): void {
      const refund = find(refunds, id)
      refund.status = 'failed'
      for (const charge of charges.values())
        if (charge.payment_intent === refund.payment_intent) charge.amount_refunded -= refund.amount
      emit('refund.failed', refund)
    },

    /** Opens a dispute of a charge, withdraws the money, returns it if `won`, and closes the dispute. */
    dispute(chargeId: string, { amount, won = false }: { amount?: number; won?: boolean } = {}): void {
      const charge = find(charges, chargeId)
      const disputed = {
        id: newId('dp'),
        object: 'dispute',
        amount: amount ?? charge.amount,
        payment_intent: charge.payment_intent,
        status: 'needs_response',
        evidence_details: { due_by: nowSeconds() + 10 * 86_400 },
      }
      emit('charge.dispute.created', disputed)
      emit('charge.dispute.funds_withdrawn', disputed)
      const status = won ? 'won' : 'lost'
      if (won) emit('charge.dispute.funds_reinstated', { ...disputed, status })
      emit('charge.dispute.closed', { ...disputed, status })
    },

    createCustomer(form: StripeForm) {
      const customer = { id: newId('cus'), object: 'customer' as const, metadata: stringsOf(form, 'metadata') }
      customers.set(customer.id, customer)
      return customer
    },

    /** Also cancels the customer's subscriptions. */
    deleteCustomer(customerId: string) {
      if (!customers.delete(customerId)) throw notFound()
      for (const { id, customer, status } of [...subscriptions.values()])
        if (customer === customerId && status !== 'canceled') this.changeSubscription(id, { status: 'canceled' })
      return { id: customerId, object: 'customer' as const, deleted: true }
    },

    createSession(form: StripeForm): Session {
      const id = newId('cs')
      const session: Session = {
        id,
        object: 'checkout.session',
        mode: 'subscription',
        status: 'open',
        url: `https://checkout.stripe.example/${id}`,
        customer: textAt(form, 'customer') ?? '',
        price: textAt(form, 'line_items', '0', 'price') ?? '',
        trialDays: Number(textAt(form, 'subscription_data', 'trial_period_days') ?? 0),
        metadata: ((form.subscription_data as StripeForm)?.metadata ?? {}) as Record<string, string>,
      }
      sessions.set(id, session)
      return session
    },

    expireSession(id: string): Session {
      const session = find(sessions, id)
      if (session.status !== 'open') throw new StripeApiError(400, 'invalid_request_error')
      return Object.assign(session, { status: 'expired' as const })
    },

    /** Completes a checkout session, which creates its subscription. */
    subscribe(sessionId: string): Subscription {
      const session = find(sessions, sessionId)
      if (session.status !== 'open') throw new StripeApiError(400, 'invalid_request_error')
      session.status = 'complete'
      const end = nowSeconds() + (session.trialDays || 30) * 86_400
      const id = newId('sub')
      const subscription: Subscription = {
        id,
        object: 'subscription',
        status: session.trialDays ? 'trialing' : 'active',
        livemode: isLive,
        trial_end: session.trialDays ? end : null,
        cancel_at_period_end: false,
        cancel_at: null,
        created: nowSeconds(),
        customer: session.customer,
        metadata: session.metadata,
        items: { data: [{ id: newId('si'), current_period_end: end, price: { id: session.price, unit_amount: 900 } }] },
      }
      subscriptions.set(id, subscription)
      emit('customer.subscription.created', subscription)
      if (!session.trialDays) bill(subscription)
      return subscription
    },

    /** Emits the event that Stripe sends three days before a trial ends. */
    emitTrialEnding: (id: string) => emit('customer.subscription.trial_will_end', find(subscriptions, id)),

    /** Renews for a month. */
    renew(id: string): void {
      const subscription = find(subscriptions, id)
      for (const item of subscription.items.data) item.current_period_end += 30 * 86_400
      bill(subscription)
      emit('customer.subscription.updated', subscription)
    },

    /** Changes a subscription, as a cancellation, a failed renewal or the customer portal does, and emits the event. */
    changeSubscription(id: string, change: Partial<Subscription>): Subscription {
      const subscription = Object.assign(find(subscriptions, id), change)
      emit(`customer.subscription.${change.status === 'canceled' ? 'deleted' : 'updated'}`, subscription)
      return subscription
    },

    updateSubscription(id: string, form: StripeForm): Subscription {
      const subscription = find(subscriptions, id)
      const price = textAt(form, 'items', '0', 'price')
      const item = subscription.items.data.find((item) => item.id === textAt(form, 'items', '0', 'id'))
      if (price && !item) throw new StripeApiError(400, 'invalid_request_error', 'resource_missing')
      if (price && item) item.price.id = price
      if (textAt(form, 'cancel_at_period_end') === 'false') subscription.cancel_at_period_end = false
      emit('customer.subscription.updated', subscription)
      return subscription
    },
  }
}
export type StripeState = ReturnType<typeof newStripeState>

export type StripeForm = { [name: string]: string | StripeForm }

/** Parses a form body of Stripe's SDK: `items[0][price]=p` is `{ items: { 0: { price: 'p' } } }`. */
export function parseForm(text: string): StripeForm {
  const form: StripeForm = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '')
    let node = form
    for (const part of path.slice(0, -1)) {
      node[part] = node[part] ?? {}
      node = node[part] as StripeForm
    }
    node[path.at(-1) ?? ''] = value
  }
  return form
}

const textAt = (form: StripeForm, ...path: string[]): string | undefined => {
  let node: string | StripeForm | undefined = form
  for (const part of path) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : undefined
}
