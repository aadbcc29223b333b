import * as z from 'zod/mini'

/** Vars and secrets of payments, part of the configuration schema. An empty value counts as missing. */
export const PaymentVars = {
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  /** URL of a fake Stripe for tests, e.g. on localhost. Demo only. */
  STRIPE_API_BASE: z.optional(z.union([z.url({ protocol: /^https?$/ }), z.literal('')])),
  /** `on`: tiers are for sale; needs the keys and both prices. */
  SUBSCRIPTIONS: z.optional(z.enum(['on', 'off', ''])),
  /** `on`: Stripe Tax computes the tax of orders; needs the keys. */
  STRIPE_TAX: z.optional(z.enum(['on', 'off', ''])),
  STRIPE_PRICE_SILVER: z.optional(z.string()),
  STRIPE_PRICE_GOLD: z.optional(z.string()),
}

export type StripeConfig = {
  provider: 'stripe'
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** Null for Stripe's own server. */
  apiBase: URL | null
  /** Live mode: real cards are charged. */
  isLive: boolean
}

export type PaymentsConfig = {
  payments: { provider: 'off' } | { provider: 'test' } | StripeConfig
  /** Stripe computes the tax of orders, instead of the admin's rates. */
  stripeTax: boolean
  /** Null without prices. With `isSelling` false, existing subscriptions are still updated and can be canceled. */
  subscriptions: { isSelling: boolean; prices: Record<'silver' | 'gold', string> } | null
}

type Vars = z.infer<z.ZodMiniObject<typeof PaymentVars>>

/**
 * Reads the payment vars; `invalidVars` names missing or unsafe ones. Without keys, the demo uses the test provider and
 * production takes no payments. Production rejects test keys and other servers: goods would be sent without payment.
 */
export function readPaymentsConfig(
  vars: Vars,
  { isDemo }: { isDemo: boolean },
): PaymentsConfig | { invalidVars: string[] } {
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
  const missing = keys.filter((name) => !vars[name])
  const prices = { silver: vars.STRIPE_PRICE_SILVER ?? '', gold: vars.STRIPE_PRICE_GOLD ?? '' }
  const invalidVars: string[] = []
  if (missing.length > 0 && missing.length < keys.length)
    invalidVars.push(...missing.map((name) => `${name} (missing)`))
  if (vars.STRIPE_API_BASE && !isDemo) invalidVars.push('STRIPE_API_BASE (not in production)')
  const isLive = /^(sk|rk)_live_/.test(vars.STRIPE_SECRET_KEY ?? '')
  if (missing.length === 0) {
    if (isLive !== /^pk_live_/.test(vars.STRIPE_PUBLISHABLE_KEY ?? ''))
      invalidVars.push('STRIPE_PUBLISHABLE_KEY (not of the same mode as STRIPE_SECRET_KEY)')
    if (!isLive && !isDemo) invalidVars.push('STRIPE_SECRET_KEY (not a live key)')
    if (isLive && isDemo) invalidVars.push('STRIPE_SECRET_KEY (a live key in the demo)')
  }
  if (vars.SUBSCRIPTIONS === 'on') {
    if (missing.length > 0) invalidVars.push('SUBSCRIPTIONS (on without the keys of Stripe)')
    if (!prices.silver) invalidVars.push('STRIPE_PRICE_SILVER (missing)')
    if (!prices.gold) invalidVars.push('STRIPE_PRICE_GOLD (missing)')
  }
  const stripeTax = vars.STRIPE_TAX === 'on'
  if (stripeTax && missing.length > 0) invalidVars.push('STRIPE_TAX (on without the keys of Stripe)')
  if (invalidVars.length > 0) return { invalidVars }
  const isSelling = vars.SUBSCRIPTIONS === 'on'
  const subscriptions = prices.silver && prices.gold ? { isSelling, prices } : null
  if (missing.length > 0) return { payments: { provider: isDemo ? 'test' : 'off' }, stripeTax, subscriptions }
  return {
    payments: {
      provider: 'stripe',
      secretKey: vars.STRIPE_SECRET_KEY ?? '',
      publishableKey: vars.STRIPE_PUBLISHABLE_KEY ?? '',
      webhookSecret: vars.STRIPE_WEBHOOK_SECRET ?? '',
      apiBase: vars.STRIPE_API_BASE ? new URL(vars.STRIPE_API_BASE) : null,
      isLive,
    },
    stripeTax,
    subscriptions,
  }
}
