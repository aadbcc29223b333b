import * as z from 'zod/mini'
import { type PaymentsConfig, PaymentVars, readPaymentsConfig } from './payments/config'
import { QUOTAS } from './quotas/quotas'

const VarsSchema = z.object({
  SITE_MODE: z.enum(['production', 'demo']),
  /** Signs cookies and links, and is the key of keyed hashes. Changing it invalidates them all. */
  SIGNING_SECRET: z.string().check(z.minLength(32)),
  /** The site's origin, e.g. `https://artist.example`: base URL of emailed links. The demo uses the request's host. */
  SITE_ORIGIN: z.url({ protocol: /^https$/ }),
  /** `name:password` of the demo's administrator, shown on the admin log-in page. Ignored in production. */
  DEMO_ADMIN: z.optional(z.string().check(z.regex(/^[^:]+:.+$/))),
  /** Base URL of links in emails of a demo's scheduled jobs, which have no request. */
  DEMO_ORIGIN: z.optional(z.url({ protocol: /^https?$/ })),
  /** OAuth client of Google sign-in, which is off while either is missing. */
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  /** URL of a fake OpenID provider, for tests. */
  GOOGLE_ISSUER: z.optional(z.url()),
  /** Keys of the Turnstile widget, which is off while either is missing. */
  TURNSTILE_SITE_KEY: z.optional(z.string()),
  TURNSTILE_SECRET_KEY: z.optional(z.string()),
  /** Replaces Cloudflare's token verification URL in tests. */
  TURNSTILE_VERIFY_URL: z.optional(z.url()),
  /** Sender address of all email. */
  MAIL_FROM: z.email(),
  /** `off`: no email is sent, and the EMAIL binding may be missing. Previews set it. */
  EMAIL_SENDING: z.optional(z.enum(['on', 'off', ''])),
  /** If set, broadcasts and show alerts go through Resend; all other email goes through the EMAIL binding. */
  RESEND_API_KEY: z.optional(z.string()),
  /** URL of a fake Resend, for tests. */
  RESEND_URL: z.optional(z.url()),
  /** Sign-ups a day from one network; local runs and tests raise it. */
  SIGNUPS_PER_NETWORK_PER_DAY: z.optional(z.string().check(z.regex(/^[1-9]\d{0,6}$/))),
  /** Address of the bucket PUBLIC_IMAGES, e.g. `https://images.artist.example`. */
  PUBLIC_IMAGES_ORIGIN: z.optional(z.url({ protocol: /^https$/ })),
  /** Verifies the signature of Resend's webhooks (bounces, complaints). */
  RESEND_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]+=*$/))),
  ...PaymentVars,
})

type Strings<T> = { [Name in keyof T]: string }
export type UncheckedVars = Strings<Omit<z.infer<typeof VarsSchema>, 'SITE_MODE' | 'SITE_ORIGIN' | 'MAIL_FROM'>>
/** Bindings and vars of wrangler.toml (from worker-configuration.d.ts, which is generated) and unchecked secrets. */
export type Env = Cloudflare.Env & UncheckedVars & { PUBLIC_IMAGES?: R2Bucket; IMAGES?: ImagesBinding | undefined }

/** Bindings that must exist; `EMAIL` may be missing while email is off. */
const REQUIRED_BINDINGS = [
  'DB',
  'SESSIONS',
  'FILES',
  'JOBS',
  'EXPORTS',
  'PREVIEWS',
  'EMAIL',
  'MAIL',
  'BROADCASTS',
  'LIMIT_WRITES',
  'LIMIT_MAIL',
  'LIMIT_AUTH',
  'LIMIT_API',
  'LIVE',
  'RUSH',
  'ASSETS',
] as const satisfies readonly (keyof Env)[]

/** The checked vars and secrets. */
export type Config = {
  isDemo: boolean
  signingSecret: string
  /** Base URL of links in emails; null in the demo, which uses the request's host. */
  origin: string | null
  /** Base URL of links in emails of scheduled jobs. */
  jobOrigin: string
  /** Always null in production. */
  demoAdmin: { username: string; password: string } | null
  /** Null if Google sign-in is off. */
  google: { clientId: string; clientSecret: string; issuer: string } | null
  /** Maximum sign-ups a day from one network. */
  signupsPerNetwork: number
  /** Origin of the artist's images in the bucket PUBLIC_IMAGES; null without one. */
  publicImagesOrigin: string | null
  /** Null if Turnstile is off. */
  turnstile: { siteKey: string; secretKey: string; verifyUrl: string } | null
  mail: {
    from: string
    /** No email is sent. */
    isOff: boolean
    /** Null if all email goes through Cloudflare's binding. */
    resend: { apiKey: string; url: string } | null
    /** Null if Resend's webhook is not set up. */
    resendWebhookSecret: string | null
  }
} & PaymentsConfig

/**
 * The configuration is invalid; `message` names the vars and bindings. Payment vars are checked only after everything
 * else is valid.
 */
export class ConfigError extends Error {}

/**
 * Reads and checks vars and secrets, and checks that all bindings exist.
 * @throws ConfigError if one is missing or malformed.
 */
export function readConfig(env: Env): Config {
  const parsed = VarsSchema.safeParse(env)
  const isEmailOff = parsed.data?.EMAIL_SENDING === 'off'
  const invalid = REQUIRED_BINDINGS.filter((name) => !env[name] && !(name === 'EMAIL' && isEmailOff)).map(
    (name) => `${name} (missing)`,
  )
  if (Boolean(env.PUBLIC_IMAGES) !== Boolean(env.PUBLIC_IMAGES_ORIGIN))
    invalid.push(`PUBLIC_IMAGES${env.PUBLIC_IMAGES ? '_ORIGIN' : ''} (missing)`)
  for (const { path, code } of parsed.error?.issues ?? []) invalid.push(`${path.join('.')} (${code})`)
  if (!parsed.success || invalid.length > 0) throw configError(invalid)
  const { SITE_MODE, SIGNING_SECRET, SITE_ORIGIN, DEMO_ADMIN, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } =
    parsed.data
  const { TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY, TURNSTILE_VERIFY_URL } = parsed.data
  const { MAIL_FROM, RESEND_API_KEY, RESEND_URL, RESEND_WEBHOOK_SECRET, PUBLIC_IMAGES_ORIGIN } = parsed.data
  const isDemo = SITE_MODE === 'demo'
  const origin = new URL(SITE_ORIGIN).origin
  const payments = readPaymentsConfig(parsed.data, { isDemo })
  if ('invalidVars' in payments) throw configError(payments.invalidVars)
  const [username = '', ...password] = DEMO_ADMIN?.split(':') ?? []
  return {
    isDemo,
    signingSecret: SIGNING_SECRET,
    origin: isDemo ? null : origin,
    jobOrigin: isDemo ? (parsed.data.DEMO_ORIGIN ?? origin) : origin,
    demoAdmin: isDemo && DEMO_ADMIN ? { username, password: password.join(':') } : null,
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
            issuer: GOOGLE_ISSUER ?? 'https://accounts.google.com',
          }
        : null,
    signupsPerNetwork: Number(parsed.data.SIGNUPS_PER_NETWORK_PER_DAY ?? QUOTAS.signupsPerNetwork.max),
    publicImagesOrigin: PUBLIC_IMAGES_ORIGIN ? new URL(PUBLIC_IMAGES_ORIGIN).origin : null,
    turnstile:
      TURNSTILE_SITE_KEY && TURNSTILE_SECRET_KEY
        ? {
            siteKey: TURNSTILE_SITE_KEY,
            secretKey: TURNSTILE_SECRET_KEY,
            verifyUrl: TURNSTILE_VERIFY_URL ?? 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
          }
        : null,
    mail: {
      from: MAIL_FROM,
      isOff: isEmailOff,
      resend: RESEND_API_KEY ? { apiKey: RESEND_API_KEY, url: RESEND_URL ?? 'https://api.resend.com' } : null,
      resendWebhookSecret: RESEND_WEBHOOK_SECRET ?? null,
    },
    ...payments,
  }
}

const configError = (invalid: readonly string[]) =>
  new ConfigError(`The worker's configuration is invalid: ${invalid.join(', ')}. See README, "Configuration".`)
