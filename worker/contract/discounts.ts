import * as z from 'zod/mini'
import { managers } from './endpoint'
import { cents, draftVersion, line, timestamp } from './fields'
import { recordEndpoints } from './record-endpoints'
import { TIERS } from './site'

export const DISCOUNT_KINDS = ['percent', 'amount'] as const

/** `used_up`: every use is taken by a paid order, or by an open one that may still release it. */
export const DISCOUNT_STATES = ['active', 'scheduled', 'ended', 'used_up'] as const
export type DiscountState = (typeof DISCOUNT_STATES)[number]

const useLimit = z.nullable(
  z
    .int('The number of uses must be a whole number.')
    .check(z.minimum(1, 'The number of uses must be at least 1.'), z.maximum(1_000_000, 'That is too many uses.')),
)

const DiscountFields = z.strictObject({
  code: z.string().check(
    z.overwrite((text) => text.trim().toUpperCase()),
    z.regex(/^[A-Z0-9-]{3,24}$/, 'A code has 3 to 24 letters, digits or hyphens.'),
  ),
  kind: z.enum(DISCOUNT_KINDS),
  /** Percentage off the lines that the code applies to; null for an amount. */
  percent: z.nullable(
    z
      .int('The discount must be a whole percentage.')
      .check(z.minimum(1, 'The discount must be at least 1%.'), z.maximum(100, 'The discount must be at most 100%.')),
  ),
  /** Amount off, at most the sum of the lines that the code applies to; null for a percentage. */
  amountCents: z.nullable(cents('The discount')),
  /** Minimum sum of the order's lines before the discount; 0 for none. */
  minimumCents: cents('The minimum'),
  /** The products it applies to; empty for all. */
  productIds: z.array(line(64, 'The product')).check(z.maxLength(100, 'Please choose at most 100 products.')),
  /** Supporters of this tier and those above it; null for everyone, visitors included. */
  tier: z.nullable(z.enum(TIERS)),
  startsAt: z.nullable(timestamp),
  endsAt: z.nullable(timestamp),
  maxUses: useLimit,
  /** Maximum uses per account or email address. */
  maxUsesPerPerson: useLimit,
})

export const DiscountDraft = z.extend(DiscountFields, { version: draftVersion }).check(
  z.refine(({ kind, percent }) => kind !== 'percent' || percent !== null, {
    error: 'Please enter the percentage.',
    path: ['percent'],
  }),
  z.refine(({ kind, amountCents }) => kind !== 'amount' || (amountCents ?? 0) > 0, {
    error: 'Please enter an amount above zero.',
    path: ['amountCents'],
  }),
  z.refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
    error: 'The end must be after the start.',
    path: ['endsAt'],
  }),
)
export type DiscountDraft = z.infer<typeof DiscountDraft>

export const Discount = z.object({
  id: z.string(),
  ...DiscountFields.shape,
  version: z.int(),
  state: z.enum(DISCOUNT_STATES),
  /** Uses by paid orders and by open ones, which release theirs when they expire. */
  uses: z.int(),
  /** The code of the broadcast channel, which is replaced on the orders screen. */
  isBroadcast: z.boolean(),
  createdAt: timestamp,
})
export type Discount = z.infer<typeof Discount>

export const adminDiscountsApi = recordEndpoints('/api/admin/discounts', {
  access: managers,
  row: Discount,
  draft: DiscountDraft,
  filters: ['state'],
  list: {
    description: '50 per page; `?q=` searches codes, `?state=` filters, `?sort=` is code, created or uses.',
  },
  add: { description: '409 `conflict` if a discount, also a deleted one, or the broadcast channel has the code.' },
  update: {
    description: 'The code itself cannot change, because orders refer to it. 409 `conflict` for the broadcast code.',
  },
  remove: { description: '404 `not_found` for the broadcast code.' },
})
