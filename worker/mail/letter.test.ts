import fc from 'fast-check'
import { expect, test } from 'vitest'
import { confirmAlertLetter, showAlertLetter } from '../alerts/letters'
import { changedLetter, confirmLetter, resetLetter, verifyLetter } from '../auth/letters'
import { csvLinkLetter } from '../exports/letters'
import { alreadyListedLetter, confirmNewsletterLetter, welcomeLetter } from '../newsletter/letters'
import { receiptLetter } from '../shop/letters'
import { cancelledLetter, trialEndingLetter } from '../tiers/letters'

const AT = Date.parse('2026-07-04T00:00:00Z')
const ZONE = 'America/New_York'

/** Every letter of the house, with one text in every place that a person or an administrator can fill. */
function letters(said: string) {
  const link = { siteName: said, origin: 'https://fan.example', username: said, token: 'SECRET', sender: said }
  const unsubscribe = { why: said, page: 'https://fan.example/out', oneClick: 'https://fan.example/api/out' }
  const member = { ...link, tierName: said, timeZone: ZONE }
  const show = { id: 's', city: said, venue: said, address: said, startsAt: AT, timeZone: ZONE, priceCents: 2500 }
  return [
    verifyLetter(link),
    resetLetter(link),
    changedLetter(link),
    confirmLetter({ ...link, code: '123456' }),
    confirmNewsletterLetter(link),
    welcomeLetter({ ...link, unsubscribe }),
    alreadyListedLetter({ ...link, unsubscribe }),
    confirmAlertLetter({ ...link, city: said }),
    showAlertLetter({ ...link, show, unsubscribe }),
    csvLinkLetter({ ...link, hours: 24, downloads: 5 }),
    receiptLetter({
      siteName: said,
      orderId: 'order_1',
      lines: [{ name: said, quantity: 2, amountCents: 3998 }],
      extras: [{ label: said, amountCents: -500 }],
      totalCents: 3498,
      paidAt: AT,
      timeZone: ZONE,
      url: 'https://fan.example/orders/order_1',
      isTest: true,
    }),
    trialEndingLetter({ ...member, priceCents: 1500, endsAt: AT }),
    cancelledLetter({ ...member, until: AT }),
  ]
}

test('what a letter quotes is escaped, whatever it is', () => {
  const markup = fc.tuple(fc.string(), fc.constantFrom('<img src=x onerror=a>', '"><script>', "' onx='", '</style>&'))
  fc.assert(
    fc.property(markup, ([text, tag]) => {
      for (const { html } of letters(`${text}${tag}`)) {
        expect(html).not.toMatch(/<img|<script|' onx=|"><s/)
        expect(html.match(/<\/style>/g)).toHaveLength(1)
      }
    }),
    { numRuns: 30 },
  )
})

test('every letter says the same as text, and leads nowhere but to this site', () => {
  for (const { kind, subject, text, html } of letters('Any Artist')) {
    expect([kind, subject.length > 5, text.endsWith('Any Artist') || /Unsubscribe: \S+$/.test(text)]).toEqual([
      kind,
      true,
      true,
    ])
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')
    for (const href of links) expect([href, text.includes(href)]).toEqual([href, true])
    expect(links.filter((href) => !href.startsWith('https://fan.example/'))).toEqual([])
    expect(html).not.toMatch(/<img|<script|src=/)
  }
})

test('a letter has a dark face and a light one', () => {
  for (const { html } of letters('Any Artist')) {
    expect(html).toContain('<meta name="color-scheme" content="light dark"')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  }
})

test('mail that nobody asked for just now carries its way out, and no other does', () => {
  const listed = letters('Any Artist').filter(({ headers = {} }) => 'List-Unsubscribe' in headers)
  expect(listed.map(({ kind }) => kind)).toEqual(['newsletter_welcome', 'newsletter_already', 'show_alert'])
  for (const { headers } of listed)
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://fan.example/api/out>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
})

test('a receipt names every sum, and says when nobody was charged', () => {
  const { text } = letters('Clip')[10]!
  expect(text).toContain('2 × Clip: $39.98\nClip: -$5.00\nPaid: $34.98\nOrder: order_1\nDate: July 3, 2026')
  expect(text).toContain('no card was charged')
})

test('a show is told on its own venue’s clock', () => {
  expect(letters('Tampa')[8]?.text).toContain('When: Friday, July 3, 2026, 20:00')
})
