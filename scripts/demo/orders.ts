import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import catalog from './data/catalog.json' with { type: 'json' }
import names from './data/names.json' with { type: 'json' }
import shop from './data/shop.json' with { type: 'json' }
import { createRandom } from './random.ts'

type Product = (typeof catalog.products)[number]

export async function seedDiscounts(db: D1Database, now: number): Promise<void> {
  await insertRows(db, 'discounts', [
    { id: 'gilt5', code: 'GILT5', kind: 'amount', amount_cents: 500, is_broadcast: 1, created_at: now - 30 * DAY_MS },
  ])
}

/** Inserts orders and test payments. The paid ones add up to $48,293.50: 190 x $19.99, 160 x $14.99 and 473 x $89. */
export async function seedOrders(db: D1Database, now: number): Promise<void> {
  const random = createRandom(823)
  const orders: Row[] = []
  const intents: Row[] = []
  const addOrder = (product: Product, discountCents: number, status: 'paid' | 'expired' | 'refunded') => {
    const createdAt = Math.round(now - random.next() ** 1.6 * 400 * DAY_MS - 3_600_000)
    const id = `ord_demo_${String(orders.length + 1).padStart(4, '0')}`
    const amountCents = product.price_cents - discountCents
    const wasPaid = status !== 'expired'
    orders.push({
      id,
      product_id: product.id,
      quantity: 1,
      unit_price_cents: product.price_cents,
      discount_cents: discountCents,
      amount_cents: amountCents,
      status,
      created_at: createdAt,
      paid_at: wasPaid ? createdAt + 90_000 : null,
      provider: 'test',
      is_test: 1,
      payment_intent_id: wasPaid ? `pi_test_${id}` : null,
      promotion_code: discountCents > 0 ? 'GILT5' : null,
      refunded_cents: status === 'refunded' ? amountCents : 0,
      refund_reason: status === 'refunded' ? 'requested' : null,
      fulfilment: status === 'paid' ? fulfilmentAfter((now - createdAt) / DAY_MS) : 'unfulfilled',
      email: wasPaid ? `buyer${orders.length + 1}@mail.example` : null,
      shipping_address: wasPaid ? shippingAddress(orders.length) : null,
      shipping_method: wasPaid ? shippingMethod(orders.length) : null,
    })
    // The test provider needs the payment intent to refund the order.
    if (status === 'paid')
      intents.push({
        id: `pi_test_${id}`,
        idempotency_key: `order:${id}:v1`,
        order_id: id,
        amount_cents: amountCents,
        status: 'succeeded',
        created_at: createdAt,
      })
  }
  const [clip, hoodie] = catalog.products as [Product, Product]
  for (const [product, discount, count] of [
    [clip, 0, 190],
    [clip, 500, 160],
    [hoodie, 0, 473],
  ] as const)
    for (let i = 0; i < count; i++) addOrder(product, discount, 'paid')
  for (let i = 0; i < 31; i++) addOrder(random.pick(catalog.products), 0, i < 27 ? 'expired' : 'refunded')
  await insertRows(db, 'orders', orders)
  await insertRows(db, 'test_intents', intents)
}

function fulfilmentAfter(days: number): string {
  if (days > 12) return 'delivered'
  if (days > 5) return 'shipped'
  return days > 2 ? 'packed' : 'unfulfilled'
}

const HOME_DESTINATION = { method: 'us-standard', city: 'Tampa', state: 'FL', postalCode: '33602', country: 'US' }
const FOREIGN_DESTINATIONS = [
  { method: 'eu-tracked', city: 'Berlin', state: '', postalCode: '10119', country: 'DE' },
  { method: 'uk-tracked', city: 'Leeds', state: '', postalCode: 'LS1 4AP', country: 'GB' },
  { method: 'canada-standard', city: 'Toronto', state: 'ON', postalCode: 'M5V 2T6', country: 'CA' },
]
/** Every sixth order goes abroad. */
const destinationOf = (index: number) =>
  (index % 6 === 5 && FOREIGN_DESTINATIONS[Math.floor(index / 6) % FOREIGN_DESTINATIONS.length]) || HOME_DESTINATION

function shippingAddress(index: number): string {
  const { first, last } = names.buyers
  const { method: _, ...place } = destinationOf(index)
  return JSON.stringify({
    name: `${first[index % first.length]} ${last[index % last.length]}`,
    line1: `${100 + index} Any Street`,
    ...place,
  })
}

/** The method as JSON, without a price, so that the orders add up to the revenue above. */
function shippingMethod(index: number): string {
  const id = destinationOf(index).method
  const name = shop.zones.flatMap(({ methods }) => methods).find((method) => method.id === id)?.name ?? ''
  return JSON.stringify({ id, name, priceCents: 0, isPickup: false })
}
