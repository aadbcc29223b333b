import { base64url } from '../lib/crypto'
import type { Browser } from './client'

export const ISSUER = 'https://issuer.example'
export const GOOGLE_ENV = { GOOGLE_CLIENT_ID: 'our-client', GOOGLE_CLIENT_SECRET: 'its-secret', GOOGLE_ISSUER: ISSUER }

const RS256 = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const newKey = () => crypto.subtle.generateKey(RS256, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
/** Shared by all providers: the worker caches an issuer's keys for the life of the runtime. */
const signingKeys = Promise.all([newKey(), newKey()])
const encodePart = (value: unknown) => base64url(new TextEncoder().encode(JSON.stringify(value)))

type Claims = Record<string, unknown>

/**
 * A fake OpenID provider with real keys and signatures. Its `fetch` replaces the global one; `responses` has the
 * response of each path and may be changed; `token` signs an ID token.
 */
export async function fakeOidcProvider(now: number) {
  const [publishedKey, unpublishedKey] = await signingKeys
  const published = await crypto.subtle.exportKey('jwk', publishedKey.publicKey)
  const requests: { path: string; body: string }[] = []
  const responses: Record<string, (body: string) => Response | Promise<Response>> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/keys`,
      }),
    '/keys': () =>
      Response.json({
        keys: [
          { kty: 'EC', kid: 'other' },
          { ...published, kid: 'k1', alg: 'RS256', use: 'sig' },
        ],
      }),
  }
  const claims = (changed: Claims = {}): Claims => ({
    iss: ISSUER,
    aud: GOOGLE_ENV.GOOGLE_CLIENT_ID,
    sub: 'g-1',
    iat: now / 1000,
    exp: now / 1000 + 3600,
    email: 'fan@mail.example',
    email_verified: true,
    name: 'Any Fan',
    ...changed,
  })
  const token = async (
    changed: Claims = {},
    { key = publishedKey, header = {} }: { key?: CryptoKeyPair; header?: Claims } = {},
  ) => {
    const text = `${encodePart({ alg: 'RS256', kid: 'k1', ...header })}.${encodePart(claims(changed))}`
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key.privateKey, new TextEncoder().encode(text))
    return `${text}.${base64url(new Uint8Array(signature))}`
  }
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const { origin, pathname } = new URL(request.url)
    const body = await request.text()
    requests.push({ path: pathname, body })
    const respond = origin === ISSUER ? responses[pathname] : undefined
    return respond ? respond(body) : new Response('Not found', { status: 404 })
  }
  return { fetch, responses, requests, token, unpublishedKey, encodePart, claims }
}

type OidcProvider = Awaited<ReturnType<typeof fakeOidcProvider>>

/**
 * Logs in through the Google redirect, with a valid ID token unless `claims`, `tokenOptions` or `responses['/token']`
 * change it. The first request has `query`. `url` is the target of the first redirect (Google), `location` of the last.
 */
export async function logInWithGoogle(
  provider: OidcProvider,
  browser: Browser,
  claims: Record<string, unknown> = {},
  query = '',
  tokenOptions: Parameters<OidcProvider['token']>[1] = {},
) {
  const redirect = await browser.send('GET', `/api/auth/google${query}`)
  const url = new URL(redirect.headers.get('location')!)
  const nonce = url.searchParams.get('nonce')
  const override = provider.responses['/token']
  provider.responses['/token'] =
    override ??
    (async () =>
      Response.json({
        access_token: 'a',
        token_type: 'Bearer',
        id_token: await provider.token({ nonce, ...claims }, tokenOptions),
      }))
  const state = url.searchParams.get('state')!
  const response = await browser.send('GET', `/api/auth/google/callback?code=c1&state=${state}`)
  if (!override) delete provider.responses['/token']
  return { url, state, response, location: response.headers.get('location') }
}
