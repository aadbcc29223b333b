import { expect, test } from 'vitest'
import { subscribedToast } from './newsletter.queries'

test.each([
  [50, "You'll be the first to know about new merch drops. +50 points earned! Check your mail to confirm."],
  [0, "You'll be the first to know about new merch drops. Sign up to earn points! Check your mail to confirm."],
])('a subscription that earns %i points says so', (points, text) => {
  expect(subscribedToast(points)).toEqual({ title: 'Successfully subscribed!', text })
})
