import { Hono } from 'hono'
import { addressesApi, type Cart, cartApi, type SavedAddress } from '../contract/cart'
import type { AppEnv } from '../http/app-env'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { mergeCart, readCart, saveCart } from './cart'
import { deleteAddress, listAddresses, saveAddress } from './saved-addresses'

export const cartRoutes = new Hono<AppEnv>()

cartRoutes.get(cartApi.cart.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  return c.json((await readCart(c.var.db, userId)) satisfies Cart)
})

cartRoutes.post(cartApi.saveCart.path, rateLimit('LIMIT_WRITES'), validateBody(cartApi.saveCart), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const { lines } = c.req.valid('json')
  return c.json((await saveCart(c.var.db, { userId, lines, at: c.var.now() })) satisfies Cart)
})

cartRoutes.post(cartApi.mergeCart.path, rateLimit('LIMIT_WRITES'), validateBody(cartApi.mergeCart), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const { lines } = c.req.valid('json')
  return c.json((await mergeCart(c.var.db, { userId, lines, at: c.var.now() })) satisfies Cart)
})

cartRoutes.get(addressesApi.addresses.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  return c.json((await listAddresses(c.var.db, userId)) satisfies SavedAddress[])
})

cartRoutes.post(
  addressesApi.saveAddress.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(addressesApi.saveAddress),
  async (c) => {
    const { userId } = await c.var.session.requireSupporter()
    const { shippingAddress: address } = c.req.valid('json')
    return c.json((await saveAddress(c.var.db, { userId, address, at: c.var.now() })) satisfies SavedAddress[])
  },
)

cartRoutes.delete(addressesApi.deleteAddress.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  await deleteAddress(c.var.db, { userId, id: c.req.param('id') })
  return c.body(null, 204)
})
