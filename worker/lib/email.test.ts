import { expect, test } from 'vitest'
import { emailError } from '../contract/credential-rules'
import { emailAddress } from '../contract/fields'
import { mailboxKey } from './email'

test.each([
  ['me@münchen.example', 'me@xn--mnchen-3ya.example'],
  ['me@MÜNCHEN.example', 'me@xn--mnchen-3ya.example'],
  ['me@xn--mnchen-3ya.example', 'me@xn--mnchen-3ya.example'],
  ['me@mail.gmail。com', 'me@mail.gmail.com'],
  ['M.e+x@GoogleMail.com', 'me@gmail.com'],
  ['me@not a host.example', 'me@not a host.example'],
  ['me@gmail.com/x.example', 'me@gmail.com/x.example'],
])('normalizes %s to the mailbox %s', (email, key) => {
  expect(mailboxKey(email)).toBe(key)
})

test.each(['gm\u00adail.com', 'gma\u200bil.com', 'gmai\u2060l.com', 'gmail\ufe0f.com', 'gmail.com/x.example'])(
  'rejects an address with the domain %j',
  (domain) => {
    expect(emailAddress.safeParse(`x@${domain}`).success).toBe(false)
    expect(emailAddress.safeParse('x@münchen.example').success).toBe(true)
  },
)

test('rejects control characters, also on sign-up', () => {
  expect(emailAddress.safeParse('x\u0001@mail.example').success).toBe(false)
  expect(emailError('x\u0001@mail.example')).toBe('Please enter a valid email address.')
})

test('rejects invisible characters in the local part', () => {
  expect(emailAddress.safeParse('x\u200d@mail.example').success).toBe(false)
})
