import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['/web/**/*.ts', '/web/**/*.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

// Without `/pure`, importing the package loads Stripe's script on the page.
test('only StripeCard.tsx imports Stripe’s script', () => {
  const imports = Object.entries(sources).flatMap(([path, text]) =>
    [...text.matchAll(/^import (?!type ).*'(@stripe\/stripe-js[^']*)'/gm)].map(([, from]) => `${path} ${from}`),
  )
  expect(imports).toEqual(['/web/checkout/StripeCard.tsx @stripe/stripe-js/pure'])
})
