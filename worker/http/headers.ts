import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './app-env'

/**
 * Security headers of everything that the worker writes; web/public/_headers repeats them for the assets, and a test
 * compares. `style-src-attr` lets server HTML carry the style attributes that components need; scripts stay 'self'.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", 'https://js.stripe.com'],
    styleSrcElem: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", 'https://api.stripe.com'],
    frameSrc: ['https://js.stripe.com', 'https://hooks.stripe.com'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  },
  strictTransportSecurity: 'max-age=63072000; includeSubDomains',
  referrerPolicy: 'strict-origin-when-cross-origin',
  crossOriginOpenerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: {
    camera: ['self'],
    microphone: [],
    geolocation: [],
    payment: ['self', '"https://js.stripe.com"'],
  },
})

/** An answer is nobody's to keep unless its route says otherwise: an edge cache's key holds no cookie. */
export const privateByDefault = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'private, no-store')
})
