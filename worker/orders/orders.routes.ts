import { Hono } from 'hono'
import { ensureDevice, readCookie, writeCookie } from '../auth/cookies'
import { type CartQuote, cartApi } from '../contract/cart'
import { checkoutApi, type PaymentIntent, type TestPaymentOutcome } from '../contract/checkout'
import { type MyOrder, type Order, ordersApi } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { setNextLink } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { sign } from '../lib/crypto'
import { getPayments } from '../payments/request-payments'
import { loadShop } from '../shop-settings/shop-settings'
import { addAddress } from './add-address'
import { prepareCheckout } from './checkout'
import { cancelExpiredIntents } from './expiry'
import { limitTaxCalculations, needsTaxLocation } from './order-tax'
import { getOrder, isPayable, isUndeliverable, listUserOrders, orderNotFoundError } from './orders'
import { checkAvailable, resolveLines } from './price-order'
import { quoteCart } from './quote'
import { RESERVATION_MS } from './write-order'

export const ordersRoutes = new Hono<AppEnv>()

/** Stores the checkout key of the buyer's open order, for requests that do not send it, e.g. after a reload. */
const CHECKOUT_COOKIE = 'checkout'

ordersRoutes.post(
  checkoutApi.createPaymentIntent.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(checkoutApi.createPaymentIntent),
  async (c) => {
    const request = c.req.valid('json')
    const { db } = c.var
    const services = getPayments(c)
    if (!services) {
      // Errors that the buyer can correct come first.
      checkAvailable(await resolveLines(db, request, { currency: (await loadShop(db, c.var.now())).currency }))
      throw new AppError('payments_off', 'Card payment is not set up on this site yet.')
    }
    const { payments, calculateTax, onPaymentEvent } = services
    const at = c.var.now()
    const { signingSecret } = c.var.config
    const cookieKey = readCookie(c, CHECKOUT_COOKIE)
    const caller = await c.var.session.user()
    const device = await ensureDevice(c)
    const orderTaxCalculator =
      calculateTax &&
      limitTaxCalculations(calculateTax, depsOf(c), {
        buyer: caller ? `user ${caller.userId}` : `device ${device.id}`,
        network: clientNetwork48(c),
        at,
      })
    const { checkoutKey, ...intent } = await prepareCheckout(
      { ...depsOf(c), payments, calculateTax: orderTaxCalculator, at },
      request,
      {
        caller,
        deviceHash: await sign(signingSecret, 'order-device', device.id),
        network: clientNetwork48(c),
        networkHash: await sign(signingSecret, 'order-holder', clientNetwork48(c)),
        checkoutKey: cookieKey !== undefined && /^[\w-]{22,64}$/.test(cookieKey) ? cookieKey : null,
      },
    )
    writeCookie(c, CHECKOUT_COOKIE, checkoutKey, RESERVATION_MS)
    c.executionCtx.waitUntil(cancelExpiredIntents({ db, payments, onPaymentEvent, at }).catch(() => undefined))
    return c.json(intent satisfies PaymentIntent)
  },
)

ordersRoutes.post(cartApi.quote.path, rateLimit('LIMIT_WRITES'), validateBody(cartApi.quote), async (c) => {
  const caller = await c.var.session.user()
  const usesStripeTax = getPayments(c)?.calculateTax != null
  const user = {
    userId: caller?.userId ?? null,
    email: caller?.emailVerified ? caller.email : null,
    ownsEmail: caller?.emailVerified === true,
    tier: caller?.tier ?? null,
  }
  return c.json(
    (await quoteCart(c.var.db, c.req.valid('json'), { user, usesStripeTax, at: c.var.now() })) satisfies CartQuote,
  )
})

ordersRoutes.post(
  checkoutApi.confirmTestPayment.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(checkoutApi.confirmTestPayment),
  async (c) => {
    const testProvider = getPayments(c)?.testProvider
    if (!testProvider) throw new AppError('not_found', 'This page does not exist.')
    const { clientSecret: secret, ...attempt } = c.req.valid('json')
    const orderId = c.req.param('orderId')
    const { signingSecret } = c.var.config
    const order = await getOrder(c.var.db, { id: orderId, secret, signingSecret, at: c.var.now() })
    if (!order.test) throw orderNotFoundError()
    const needsMethod = order.lines.some(({ kind }) => kind === 'shipped') && order.shippingMethod === null
    if (isPayable(order.status) && (needsMethod || isUndeliverable(order, order.ships)))
      throw new AppError('address_required', 'Please enter your email and the shipping address before you pay.')
    if (isPayable(order.status) && (await needsTaxLocation(c.var.db, orderId)))
      throw new AppError('address_required', 'Please choose your country before you pay: it decides the tax.')
    return c.json((await testProvider.confirm({ orderId, ...attempt })) satisfies TestPaymentOutcome)
  },
)

ordersRoutes.get(ordersApi.order.path, async (c) => {
  const secret = c.req.query('client_secret') ?? ''
  const { signingSecret } = c.var.config
  return c.json(
    (await getOrder(c.var.db, { id: c.req.param('id'), secret, signingSecret, at: c.var.now() })) satisfies Order,
  )
})

ordersRoutes.post(
  ordersApi.addAddress.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(ordersApi.addAddress),
  async (c) => {
    const { clientSecret: secret, ...address } = c.req.valid('json')
    const { db, config } = c.var
    const access = { id: c.req.param('id'), secret, signingSecret: config.signingSecret, at: c.var.now() }
    await addAddress(depsOf(c), access, address)
    return c.json((await getOrder(db, access)) satisfies Order)
  },
)

ordersRoutes.get(ordersApi.myOrders.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const cursor = c.req.query('cursor') ?? null
  const { rows, next } = await listUserOrders(c.var.db, { userId, cursor, secret: c.var.config.signingSecret })
  setNextLink(c, next)
  return c.json(rows satisfies MyOrder[])
})
