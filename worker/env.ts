import * as z from 'zod/mini'
import type { BroadcastJob } from './broadcasts/consume'
import type { PreviewJob } from './community/previews/consume'
import type { EmailJob } from './email/drain-outbox'
import type { ExportJob } from './exports/exports'
import { type PaymentsConfig, PaymentVars, paymentsConfig } from './payments/config'
import type { LivePoll } from './polls/live'
import type { VoteBatcher } from './polls/vote-batcher'

/** Work that is done after the answer, by the queue consumer in index.ts. */
export type Job = {
  kind: 'stream'
  listener: string
  trackId: number
  startedAt: number
  countedAt: number
}

/** The worker's bindings, as wrangler.toml names them, and its vars and secrets, unchecked. */
export type Env = {
  DB: D1Database
  SESSIONS: KVNamespace
  FILES: R2Bucket
  JOBS: Queue<Job>
  EXPORTS: Queue<ExportJob>
  PREVIEWS: Queue<PreviewJob>
  EMAIL: SendEmail
  MAIL: Queue<EmailJob>
  BROADCASTS: Queue<BroadcastJob>
  LIMIT_WRITES: RateLimit
  LIMIT_MAIL: RateLimit
  LIMIT_AUTH: RateLimit
  LIVE: DurableObjectNamespace<LivePoll>
  RUSH: DurableObjectNamespace<VoteBatcher>
  ASSETS: Fetcher
  SITE_MODE: string
  SIGNING_SECRET: string
  SITE_ORIGIN: string
  DEMO_ADMIN?: string
  GOOGLE_CLIENT_ID?: string
  GOOGLE_CLIENT_SECRET?: string
  GOOGLE_ISSUER?: string
  MAIL_FROM: string
  RESEND_API_KEY?: string
  RESEND_URL?: string
  RESEND_WEBHOOK_SECRET?: string
  STRIPE_SECRET_KEY?: string
  STRIPE_PUBLISHABLE_KEY?: string
  STRIPE_WEBHOOK_SECRET?: string
  STRIPE_API_BASE?: string
  SUBSCRIPTIONS?: string
  STRIPE_PRICE_SILVER?: string
  STRIPE_PRICE_GOLD?: string
}

const binding = z.custom<object>((value) => value !== null && ['object', 'function'].includes(typeof value))

const EnvSchema = z.object({
  DB: binding,
  SESSIONS: binding,
  FILES: binding,
  JOBS: binding,
  EXPORTS: binding,
  PREVIEWS: binding,
  EMAIL: binding,
  MAIL: binding,
  BROADCASTS: binding,
  LIMIT_WRITES: binding,
  LIMIT_MAIL: binding,
  LIMIT_AUTH: binding,
  LIVE: binding,
  RUSH: binding,
  ASSETS: binding,
  SITE_MODE: z.enum(['production', 'demo']),
  /** Signs cookies and keys hashes. At least 32 characters; changing it ends what it signed. */
  SIGNING_SECRET: z.string().check(z.minLength(32)),
  /** Where the site is served, e.g. `https://artist.example`: what links in mails begin with. Ignored by the demo. */
  SITE_ORIGIN: z.url({ protocol: /^https$/ }),
  /** `name:password` of the demo's administrator, shown on the log-in page. Set by `npm start`; ignored in production. */
  DEMO_ADMIN: z.optional(z.string().check(z.regex(/^[^:]+:.+$/))),
  /** The OAuth client of Google sign-in, which is off while one of the two is missing or empty. */
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  /** Another OpenID provider in Google's place, e.g. one on this machine for tests. */
  GOOGLE_ISSUER: z.optional(z.url()),
  /** The address that mail comes from. */
  MAIL_FROM: z.email(),
  /** A key of Resend: with it broadcasts and show alerts go over Resend, without it all mail over Cloudflare's binding. */
  RESEND_API_KEY: z.optional(z.string()),
  /** Another address in Resend's place, e.g. one on this machine for tests. */
  RESEND_URL: z.optional(z.url()),
  /** Signs what Resend tells of bounces and complaints. */
  RESEND_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]+=*$/))),
  ...PaymentVars,
})

/** The vars and secrets once checked. */
export type Config = {
  demo: boolean
  signingSecret: string
  /** What links in mails begin with; null in the demo, which is served wherever it was started. */
  origin: string | null
  /** Null in production, whatever DEMO_ADMIN says. */
  demoAdmin: { username: string; password: string } | null
  /** Null while Google sign-in is not set up. */
  google: { clientId: string; clientSecret: string; issuer: string } | null
  /** `resend` is null where broadcasts, too, go over Cloudflare's binding. */
  mail: { from: string; resend: { apiKey: string; url: string } | null; resendWebhookSecret: string | null }
} & PaymentsConfig

/** The deployment is incomplete; `message` names every bad variable or binding and never a value. */
export class ConfigError extends Error {}

/**
 * Reads the worker's vars and secrets, and makes sure that its bindings are there.
 * @throws ConfigError when one is missing or malformed.
 */
export function readConfig(env: Env): Config {
  const parsed = EnvSchema.safeParse(env)
  if (!parsed.success)
    throw incompleteConfig(parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`))
  const { SITE_MODE, SIGNING_SECRET, SITE_ORIGIN, DEMO_ADMIN, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } =
    parsed.data
  const { MAIL_FROM, RESEND_API_KEY, RESEND_URL, RESEND_WEBHOOK_SECRET } = parsed.data
  const demo = SITE_MODE === 'demo'
  const payments = paymentsConfig(parsed.data, { demo })
  if ('bad' in payments) throw incompleteConfig(payments.bad)
  const [username = '', ...password] = DEMO_ADMIN?.split(':') ?? []
  return {
    demo,
    signingSecret: SIGNING_SECRET,
    origin: demo ? null : new URL(SITE_ORIGIN).origin,
    demoAdmin: demo && DEMO_ADMIN ? { username, password: password.join(':') } : null,
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
            issuer: GOOGLE_ISSUER ?? 'https://accounts.google.com',
          }
        : null,
    mail: {
      from: MAIL_FROM,
      resend: RESEND_API_KEY ? { apiKey: RESEND_API_KEY, url: RESEND_URL ?? 'https://api.resend.com' } : null,
      resendWebhookSecret: RESEND_WEBHOOK_SECRET ?? null,
    },
    ...payments,
  }
}

const incompleteConfig = (bad: readonly string[]) =>
  new ConfigError(`The worker's configuration is incomplete: ${bad.join(', ')}. See README, "Configuration".`)
