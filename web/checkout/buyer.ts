import * as z from 'zod/mini'
import { ShippingAddress } from '../../worker/contract/shipping-address'
import type { Product } from '../../worker/contract/shop'
import { emailAddress } from '../../worker/contract/text'

const problem = (input: unknown, field: string, message: string) => ({
  code: 'custom' as const,
  input,
  path: [field],
  message,
})

// The wire leaves both open, because many countries have neither. In the United States a parcel needs them.
const address = ShippingAddress.check(
  z.check(({ value, issues }) => {
    if (value.country !== 'US') return
    if (value.state === '') issues.push(problem(value, 'state', 'The state must not be empty.'))
    if (!/^\d{5}(-\d{4})?$/.test(value.postalCode))
      issues.push(problem(value, 'postalCode', 'A ZIP code has five digits.'))
  }),
)
const Anybody = z.object({ email: emailAddress, shippingAddress: z.optional(z.unknown()) })
const Receiver = z.object({ email: emailAddress, shippingAddress: address })

/** What the form holds. */
export type Buyer = z.input<typeof Receiver>

/** What the form asks for: the wire's own rules, with an address where the product ships. */
export const buyerOf = ({ ships }: Pick<Product, 'ships'>) => (ships ? Receiver : Anybody)
