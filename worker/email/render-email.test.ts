import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allEmails, emailsByTemplate } from '../testing/all-emails'

test('covers every email template', () => {
  const modules = import.meta.glob<object>('../*/emails.{ts,tsx}', { eager: true })
  const templates = Object.entries(modules)
    .filter(([path]) => path !== '../testing/emails.ts')
    .flatMap(([, module]) => Object.keys(module).filter((name) => name.endsWith('Email')))
  // A broadcast's HTML comes from Markdown; broadcasts.test.ts covers it.
  const expected = templates.filter((name) => name !== 'renderBroadcastEmail')
  expect(expected.length).toBeGreaterThan(30)
  expect(Object.keys(emailsByTemplate('', '')).sort()).toEqual(expected.sort())
})

test('repeats no user input in subjects', () => {
  expect(allEmails('Any Artist', 'MARKER').filter(({ subject }) => subject.includes('MARKER'))).toEqual([])
})

test('escapes every value in the HTML', () => {
  const markup = fc.tuple(fc.string(), fc.constantFrom('<img src=x onerror=a>', '"><script>', "' onx='", '</style>&'))
  fc.assert(
    fc.property(markup, ([text, tag]) => {
      for (const { html } of allEmails(`${text}${tag}`)) {
        expect(html).not.toMatch(/<img|<script|' onx=|"><s/)
        expect(html.match(/<\/style>/g)).toHaveLength(1)
      }
    }),
    { numRuns: 30 },
  )
})

test('links only to this site; the text has every link', () => {
  for (const { kind, subject, text, html } of allEmails('Any Artist')) {
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

test('supports light and dark mode', () => {
  for (const { html } of allEmails('Any Artist')) {
    expect(html).toContain('<meta name="color-scheme" content="light dark"')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  }
})

test('adds unsubscribe headers to list email only', () => {
  const listEmails = allEmails('Any Artist').filter(({ headers = {} }) => 'List-Unsubscribe' in headers)
  expect(listEmails.map(({ kind }) => kind)).toEqual([
    'newsletter_welcome',
    'newsletter_already',
    'show_alert',
    'stock_alert_already',
    'stock_alert',
    'alert_already',
  ])
  for (const { headers } of listEmails)
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://fan.example/api/out>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
})

test('lists all amounts on a receipt and marks test orders', () => {
  const { text } = allEmails('Clip').find(({ kind }) => kind === 'receipt')!
  expect(text).toContain('2 × Clip: $39.98\nClip: -$5.00\nPaid: $34.98\nOrder: order_1\nDate: July 3, 2026')
  expect(text).toContain('no card was charged')
})

test('shows the time in the venue’s time zone', () => {
  expect(allEmails('Tampa').find(({ kind }) => kind === 'show_alert')?.text).toContain(
    'When: Friday, July 3, 2026, 8:00 PM',
  )
})
