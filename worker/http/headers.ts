import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env'

/** Content security policy. `style-src-attr` allows the style attributes of rendered components. */
const SECURITY_POLICY = {
  defaultSrc: ["'self'"],
  // Hosts as listed by docs.stripe.com/security/guide.
  scriptSrc: ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  workerSrc: ["'self'"],
  styleSrcElem: ["'self'"],
  styleSrcAttr: ["'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  // blob: reads the duration of an audio file before its upload.
  mediaSrc: ["'self'", 'blob:'],
  connectSrc: ["'self'", 'https://api.stripe.com'],
  // 'self': the demo's mailbox shows an email in a sandboxed frame.
  frameSrc: ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
}
export type SecurityPolicy = typeof SECURITY_POLICY

/** Also allows Turnstile's script and frame. */
const TURNSTILE_POLICY = {
  ...SECURITY_POLICY,
  scriptSrc: [...SECURITY_POLICY.scriptSrc, 'https://challenges.cloudflare.com'],
  frameSrc: [...SECURITY_POLICY.frameSrc, 'https://challenges.cloudflare.com'],
}

/** A policy as the value of its header. */
export const serializePolicy = (policy: Record<string, readonly string[]>): string =>
  Object.entries(policy)
    .map(([name, values]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`)
    .join('; ')

type HeaderValues = Readonly<Record<string, string>>
const COMMON_HEADERS: HeaderValues = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
/**
 * Headers of all responses but embeds. web/public/_headers repeats them for static files; headers.test.ts compares the
 * two. A header that a handler has set is not overwritten.
 */
const headersWithPolicy = (policy: SecurityPolicy): HeaderValues => ({
  ...COMMON_HEADERS,
  'x-frame-options': 'DENY',
  'content-security-policy': serializePolicy(policy),
})
/** For pages that other sites frame. Their route sets its own CSP; the one here is for error responses. */
const EMBED_HEADERS: HeaderValues = {
  ...COMMON_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': serializePolicy({ defaultSrc: ["'none'"], frameAncestors: ['*'] }),
}

/** The content security policy of a deployment. It includes the hosts of the optional services that are configured. */
export const policyFor = ({ hasTurnstile, imagesOrigin }: PolicyOptions): SecurityPolicy => {
  const policy = hasTurnstile ? TURNSTILE_POLICY : SECURITY_POLICY
  return imagesOrigin ? { ...policy, imgSrc: [...policy.imgSrc, imagesOrigin] } : policy
}
type PolicyOptions = { hasTurnstile: boolean; imagesOrigin: string | null | undefined }

const headersByPolicy = new Map<string, HeaderValues>()
function cachedHeadersFor(options: PolicyOptions): HeaderValues {
  const key = `${options.hasTurnstile} ${options.imagesOrigin}`
  const headers = headersByPolicy.get(key) ?? headersWithPolicy(policyFor(options))
  headersByPolicy.set(key, headers)
  return headers
}

const EMBED_PATH = /^\/embed\/[^/]+(\/[^/]+)?$/

// Reads `c.env`, not `c.var.config`, because it also runs when the configuration is invalid.
export const securityHeadersOf = (c: Context<AppEnv>): HeaderValues =>
  EMBED_PATH.test(c.req.path)
    ? EMBED_HEADERS
    : cachedHeadersFor({
        hasTurnstile: Boolean(c.env.TURNSTILE_SITE_KEY && c.env.TURNSTILE_SECRET_KEY),
        imagesOrigin: c.env.PUBLIC_IMAGES_ORIGIN,
      })

export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  // A cached response already has these headers.
  if (c.get('completeResponse') === c.res) return
  for (const [name, value] of Object.entries(securityHeadersOf(c)))
    if (!c.res.headers.has(name)) setHeader(c, name, value)
})

/** As `c.header()`, but copies a finished response only if its headers are immutable (fetch, redirect). */
export function setHeader(c: Context<AppEnv>, name: string, value: string, options?: { append: true }): void {
  try {
    if (!c.finalized) c.header(name, value, options)
    else if (options?.append) c.res.headers.append(name, value)
    else c.res.headers.set(name, value)
  } catch {
    c.header(name, value, options)
  }
}

/** Responses are `no-store` unless their route sets another value, because edge caches ignore cookies. */
export const noStoreByDefault = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) setHeader(c, 'cache-control', 'private, no-store')
})

// Query parameters that hold secrets, in emailed links and in redirects back from payment and sign-in.
const SECRET_PARAMS = /[?&](token|code|state|client_secret|payment_intent_client_secret)=/i

/** Keeps secrets in the URL out of the Referer header. */
export const hideReferrer = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (SECRET_PARAMS.test(c.req.url)) c.header('referrer-policy', 'no-referrer')
})
