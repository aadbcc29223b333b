import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './app-env'

/** Whence each kind of content may come. `style-src-attr` lets server HTML carry the style attributes that components need. */
export const SECURITY_POLICY = {
  defaultSrc: ["'self'"],
  // Stripe.js and what it starts from hosts of its own, as docs.stripe.com/security/guide lists them.
  scriptSrc: ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  styleSrcElem: ["'self'"],
  styleSrcAttr: ["'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  // blob: a recording is listened to for its length before it is sent.
  mediaSrc: ["'self'", 'blob:'],
  connectSrc: ["'self'", 'https://api.stripe.com'],
  // 'self': the demo's mailbox shows a letter in a sandboxed frame.
  frameSrc: ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
}

/**
 * Security headers of everything that the worker writes; web/public/_headers repeats them for the assets, and a test
 * compares. Scripts stay 'self'. A handler that sets one itself keeps it: only to be stricter, or to name the styles
 * that stand in its page, which tests hold.
 */
export const securityHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: SECURITY_POLICY,
  strictTransportSecurity: 'max-age=63072000; includeSubDomains',
  referrerPolicy: 'strict-origin-when-cross-origin',
  crossOriginOpenerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: {
    camera: ['self'],
    microphone: [],
    geolocation: [],
    payment: ['self', 'https://js.stripe.com'],
  },
})

/**
 * An answer is nobody's to keep unless its route says otherwise: an edge cache's key holds no cookie. Setting it also
 * makes a copy of answers whose headers cannot be changed (from fetch, redirects, other workers), for securityHeaders.
 */
export const noStoreByDefault = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('cache-control', c.res.headers.get('cache-control') ?? 'private, no-store')
})

// Names under which a page's address carries a secret: mailed links, a payment's return, a sign-in's return.
const SECRET_PARAMS = /[?&](token|code|state|client_secret|payment_intent_client_secret)=/i

/** The page's address holds a secret: no other site, and no log of one, learns it from a Referer. */
export const hideReferrer = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (SECRET_PARAMS.test(c.req.url)) c.header('referrer-policy', 'no-referrer')
})
