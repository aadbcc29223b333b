import * as z from 'zod/mini'
import {
  type TaxLocationFields as RequiredTaxFields,
  ShippingAddress,
  TaxLocation,
} from '../../worker/contract/checkout'
import { emailAddress } from '../../worker/contract/fields'

const fieldIssue = (input: unknown, field: string, message: string) => ({
  code: 'custom' as const,
  input,
  path: [field],
  message,
})

// The contract leaves state and postal code optional, because many countries have neither.
const addressSchema = ShippingAddress.check(
  z.check(({ value, issues }) => {
    if (value.country !== 'US') return
    if (value.state === '') issues.push(fieldIssue(value, 'state', 'The state is required.'))
    if (!/^\d{5}(-\d{4})?$/.test(value.postalCode))
      issues.push(fieldIssue(value, 'postalCode', 'A ZIP code has five digits.'))
  }),
)

/** Schema of a tax location with the fields that its country requires. */
const taxLocationSchema = ({ stateCountries, postalCodeCountries }: RequiredTaxFields) =>
  TaxLocation.check(
    z.check(({ value, issues }) => {
      if (stateCountries.includes(value.country) && value.state === '')
        issues.push(fieldIssue(value, 'state', 'The state or province is required: it decides the tax.'))
      if (postalCodeCountries.includes(value.country) && value.postalCode === '')
        issues.push(fieldIssue(value, 'postalCode', 'The ZIP code is required: it decides the tax.'))
    }),
  )

/** The values of the form. */
export type BuyerInput = {
  email: string
  shippingAddress: z.input<typeof addressSchema>
  taxLocation: z.input<typeof TaxLocation>
}

type VisibleFields = { address: boolean; taxLocation: RequiredTaxFields | null }

/** Schema of the form: validates the visible fields and accepts any value in hidden ones. */
export function buyerSchema(visible: VisibleFields) {
  return z.object({
    email: emailAddress,
    shippingAddress: visible.address ? addressSchema : z.custom<BuyerInput['shippingAddress']>(),
    taxLocation: visible.taxLocation ? taxLocationSchema(visible.taxLocation) : z.custom<BuyerInput['taxLocation']>(),
  })
}

/** The address if it is complete; else null. */
export const parseAddress = (typed: unknown): ShippingAddress | null => addressSchema.safeParse(typed).data ?? null

/** The tax location if it is complete; else null. */
export const parseTaxLocation = (typed: unknown, fields: RequiredTaxFields): TaxLocation | null =>
  taxLocationSchema(fields).safeParse(typed).data ?? null

export const EMPTY_TAX_LOCATION = { country: '', state: '', postalCode: '' }
export const EMPTY_ADDRESS = { name: '', line1: '', line2: '', city: '', state: '', postalCode: '', country: 'US' }
