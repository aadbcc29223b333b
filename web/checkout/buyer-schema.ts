import * as z from 'zod/mini'
import { emailAddress, ShippingAddress } from '../../worker/contract/fields'
import type { Product } from '../../worker/contract/products'

const issue = (input: unknown, field: string, message: string) => ({
  code: 'custom' as const,
  input,
  path: [field],
  message,
})

// The wire leaves both open, because many countries have neither. In the United States a parcel needs them.
const address = ShippingAddress.check(
  z.check(({ value, issues }) => {
    if (value.country !== 'US') return
    if (value.state === '') issues.push(issue(value, 'state', 'The state must not be empty.'))
    if (!/^\d{5}(-\d{4})?$/.test(value.postalCode))
      issues.push(issue(value, 'postalCode', 'A ZIP code has five digits.'))
  }),
)
const BuyerWithoutAddress = z.object({ email: emailAddress, shippingAddress: z.optional(z.unknown()) })
const BuyerWithAddress = z.object({ email: emailAddress, shippingAddress: address })

/** What the form holds. */
export type Buyer = z.input<typeof BuyerWithAddress>

/** What the form asks for: the wire's own rules, with an address where the product ships. */
export const buyerSchema = ({ ships }: Pick<Product, 'ships'>) => (ships ? BuyerWithAddress : BuyerWithoutAddress)
