import { expect, test } from 'vitest'
import { isTest, sources } from '../testing/sources'

/** What leaves the worker, and to whom: a call of the network, or a library that makes one. */
const LEAVES = /(?<![\w.])fetch\(|net\.fetch\(|email\.send\(|new Stripe\(|new (OAuth2Client|Google)\(/

const TO: Record<string, string | null> = {
  'worker/auth/openid.ts': 'Google',
  'worker/auth/google.routes.ts': 'Google',
  'worker/mail/resend.ts': 'Resend',
  'worker/mail/binding.ts': 'Cloudflare',
  'worker/payments/stripe.ts': 'Stripe',
  // The page behind a link that a supporter posted, which is told nothing of them (read-page.ts).
  'worker/previews/read-page.ts': null,
  'worker/previews/consume.ts': null,
  // Its own requests: they come in there.
  'worker/live/live-poll.ts': null,
}

test('nothing of anybody leaves for others than those whom the policy names', () => {
  const leaving = sources.filter(({ path, text }) => path.startsWith('worker/') && !isTest(path) && LEAVES.test(text))
  expect(leaving.map(({ path }) => path).sort()).toEqual(Object.keys(TO).sort())

  const policy = sources.find(({ path }) => path === 'web/privacy/policy.tsx')?.text ?? ''
  const named = [
    ...policy
      .slice(policy.indexOf("id: 'sharing'"))
      .split('</ul>')[0]!
      .matchAll(/<li>(\w+)/g),
  ]
  expect(named.map(([, name]) => name).sort()).toEqual([...new Set(Object.values(TO))].filter(Boolean).sort())
})
