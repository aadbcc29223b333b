import { expect, test } from 'vitest'
import { isTestCode, sources } from '../testing/sources'

/** Outgoing calls: fetch, or a library that calls it. */
const OUTBOUND_CALL = /(?<![\w.])fetch\(|client\.fetch\(|binding\.send\(|new Stripe\(|new (OAuth2Client|Google)\(/

/** Files with outgoing calls, and the recipients in the privacy policy that they send data to. */
const RECIPIENTS: Record<string, string[]> = {
  'worker/auth/id-token.ts': ['Google'],
  'worker/auth/google.routes.ts': ['Google'],
  'worker/email/providers.ts': ['Resend', 'Cloudflare'],
  'worker/http/turnstile.ts': ['Cloudflare'],
  'worker/payments/stripe.ts': ['Stripe'],
  // Fetches the page of a link in a post; the request contains nothing about the supporter.
  'worker/community/previews/fetch-page.ts': [],
  'worker/community/previews/previews.ts': [],
  // Receivers that the artist's team runs; events hold ids, no names or addresses.
  'worker/developers/deliver-webhooks.ts': [],
  // Defines `fetch` of a Durable Object and sends nothing.
  'worker/polls/live.ts': [],
  // The embedded player's own script, which calls this worker.
  'worker/ssr/embed.ts': [],
}

test('sends data only to recipients named in the privacy policy', () => {
  const outbound = sources.filter(
    ({ path, text }) => path.startsWith('worker/') && !isTestCode(path) && OUTBOUND_CALL.test(text),
  )
  expect(outbound.map(({ path }) => path).sort()).toEqual(Object.keys(RECIPIENTS).sort())

  const policy = sources.find(({ path }) => path === 'web/privacy/policy.tsx')?.text ?? ''
  const recipientNames = [
    ...policy
      .slice(policy.indexOf("id: 'sharing'"))
      .split('</ul>')[0]!
      .matchAll(/<li>\s*(\w+)/g),
  ]
  expect(recipientNames.map(([, name]) => name).sort()).toEqual([...new Set(Object.values(RECIPIENTS).flat())].sort())
})
