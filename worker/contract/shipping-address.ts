import * as z from 'zod/mini'
import { line, optionalLine } from './text'

/** Where an order goes. In a file without rows, so that the form's copy of it stays out of the first script. */
export const ShippingAddress = z.strictObject({
  name: line(100, 'The name'),
  line1: line(120, 'The street address'),
  line2: z.optional(optionalLine(120, 'The second address line')),
  city: line(80, 'The city'),
  /** State, province or region; may be empty outside the United States. */
  state: optionalLine(60, 'The state'),
  /** May be empty where there are none. */
  postalCode: optionalLine(16, 'The ZIP code'),
  /** ISO 3166-1: `US`. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'The country must be two capital letters, such as US.')),
})
export type ShippingAddress = z.infer<typeof ShippingAddress>
