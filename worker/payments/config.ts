import * as z from 'zod/mini'

/** The vars and secrets of payments, for the schema of the worker's configuration. An empty one counts as missing. */
export const PaymentVars = {
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  /** Another server in the place of Stripe's, e.g. a fake one on this machine for tests. The demo alone takes it. */
  STRIPE_API_BASE: z.optional(z.union([z.url({ protocol: /^https?$/ }), z.literal('')])),
  /** `on` sells tiers, once both prices are there. */
  SUBSCRIPTIONS: z.optional(z.enum(['on', 'off', ''])),
  STRIPE_PRICE_SILVER: z.optional(z.string()),
  STRIPE_PRICE_GOLD: z.optional(z.string()),
}

export type StripeConfig = {
  provider: 'stripe'
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** Null is Stripe itself. */
  apiBase: URL | null
  /** Real cards are charged. */
  live: boolean
}

/** Who takes the money, and whether tiers are sold. */
export type PaymentsConfig = {
  payments: { provider: 'off' } | { provider: 'test' } | StripeConfig
  /** Null without prices. Where `selling` is off, those who have a subscription are still followed (ruling 26). */
  subscriptions: { selling: boolean; prices: Record<'silver' | 'gold', string> } | null
}

type Vars = z.infer<z.ZodMiniObject<typeof PaymentVars>>

/**
 * What the vars come to; `bad` names what is missing or dangerous. Without keys the demo has its own test provider and
 * a production deployment has none (ruling 25). A production deployment never runs on test keys or against another
 * server than Stripe's: it would send out goods that nobody paid for.
 */
export function paymentsConfig(vars: Vars, { demo }: { demo: boolean }): PaymentsConfig | { bad: string[] } {
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
  const missing = keys.filter((name) => !vars[name])
  const prices = { silver: vars.STRIPE_PRICE_SILVER ?? '', gold: vars.STRIPE_PRICE_GOLD ?? '' }
  const bad: string[] = []
  if (missing.length > 0 && missing.length < keys.length) bad.push(...missing.map((name) => `${name} (missing)`))
  if (vars.STRIPE_API_BASE && !demo) bad.push('STRIPE_API_BASE (not in production)')
  const live = /^(sk|rk)_live_/.test(vars.STRIPE_SECRET_KEY ?? '')
  if (missing.length === 0) {
    if (live !== /^pk_live_/.test(vars.STRIPE_PUBLISHABLE_KEY ?? ''))
      bad.push('STRIPE_PUBLISHABLE_KEY (not of the same mode as STRIPE_SECRET_KEY)')
    if (!live && !demo) bad.push('STRIPE_SECRET_KEY (a test key in production)')
    if (live && demo) bad.push('STRIPE_SECRET_KEY (a live key in the demo)')
  }
  if (vars.SUBSCRIPTIONS === 'on') {
    if (missing.length > 0) bad.push('SUBSCRIPTIONS (on without the keys of Stripe)')
    if (!prices.silver) bad.push('STRIPE_PRICE_SILVER (missing)')
    if (!prices.gold) bad.push('STRIPE_PRICE_GOLD (missing)')
  }
  if (bad.length > 0) return { bad }
  const selling = vars.SUBSCRIPTIONS === 'on'
  const subscriptions = prices.silver && prices.gold ? { selling, prices } : null
  if (missing.length > 0) return { payments: { provider: demo ? 'test' : 'off' }, subscriptions }
  return {
    payments: {
      provider: 'stripe',
      secretKey: vars.STRIPE_SECRET_KEY ?? '',
      publishableKey: vars.STRIPE_PUBLISHABLE_KEY ?? '',
      webhookSecret: vars.STRIPE_WEBHOOK_SECRET ?? '',
      apiBase: vars.STRIPE_API_BASE ? new URL(vars.STRIPE_API_BASE) : null,
      live,
    },
    subscriptions,
  }
}
