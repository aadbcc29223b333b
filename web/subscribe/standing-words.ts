import type { Subscription } from '../../worker/contract/subscriptions'
import { shortPrice } from '../lib/money'

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })
const on = (instant: string | null) => (instant ? day.format(Date.parse(instant)) : 'soon')

type Named = { name: string; priceCents: number }

/** What a subscription is at, in a title and a sentence; `urgent` where the supporter has to do something. */
export function standing(
  { status, cancels, trialEndsAt, periodEndsAt }: Subscription,
  { name, priceCents }: Named,
): { title: string; text: string; urgent: boolean } {
  const monthly = `${shortPrice(priceCents)} a month`
  if (cancels && (status === 'trialing' || status === 'active' || status === 'past_due'))
    return {
      title: 'Cancelled',
      text: `${name} is yours until ${on(periodEndsAt)}. Nothing more is charged.`,
      urgent: false,
    }
  switch (status) {
    case 'trialing':
      return {
        title: 'Free trial',
        text: `Free until ${on(trialEndsAt)}, then ${monthly}. Cancel anytime.`,
        urgent: false,
      }
    case 'active':
      return { title: `${name} supporter`, text: `Renews on ${on(periodEndsAt)} at ${monthly}.`, urgent: false }
    case 'past_due':
      return {
        title: 'Payment failed',
        text: `Your card was declined and is being tried again. ${name} stays yours meanwhile: check your card to keep it.`,
        urgent: true,
      }
    case 'unpaid':
      return {
        title: 'Payment failed',
        text: `Your card was declined too often, and ${name} is paused. Pay to have it back.`,
        urgent: true,
      }
    case 'incomplete':
      return {
        title: 'Not finished',
        text: 'The first payment is not through yet. Finish it with your card.',
        urgent: true,
      }
    case 'paused':
      return { title: 'Paused', text: `${name} is paused, and nothing is charged.`, urgent: false }
    case 'ended':
      return { title: 'Ended', text: `Your ${name} subscription has ended.`, urgent: false }
  }
}
