import type { Email } from '../email/outbox'
import { renderEmail, type UnsubscribeLinks } from '../email/render-email'

/** Confirmation request for a subscription (double opt-in). */
export function confirmNewsletterEmail({ siteName, origin, token }: ConfirmEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_confirm',
    subject: `Confirm your subscription to ${siteName}`,
    from: siteName,
    paragraphs: [
      'Someone, hopefully you, signed this address up for news about merch, music and shows.',
      'Please confirm that you want to get the newsletter.',
      'Your subscription is separate from any account, and every email has an unsubscribe link.',
    ],
    action: { label: 'Confirm my subscription', url: `${origin}/newsletter/confirm?token=${token}` },
    smallPrint: ['The link works for seven days. If this was not you, you can ignore this email.'],
  })
}

export function welcomeEmail({ siteName, origin, unsubscribe }: SubscriberEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_welcome',
    subject: `Welcome to the ${siteName} newsletter`,
    from: siteName,
    paragraphs: [
      'Thank you for subscribing. You will be the first to hear about new drops, new music and new shows.',
      'In the meantime, the latest music is ready to play.',
    ],
    action: { label: 'Listen now', url: `${origin}/#music` },
    unsubscribe,
  })
}

/** For a subscribed address that is signed up again: the HTTP response must not reveal whether it is on the list. */
export function alreadySubscribedEmail({ siteName, origin, unsubscribe }: SubscriberEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_already',
    subject: `You already get the ${siteName} newsletter`,
    from: siteName,
    paragraphs: [
      'Someone just signed this address up again. You are already subscribed, so there is nothing you need to do.',
    ],
    action: { label: 'Back to the site', url: `${origin}/` },
    unsubscribe,
  })
}

type ConfirmEmailProps = { siteName: string; origin: string; token: string }
type SubscriberEmailProps = { siteName: string; origin: string; unsubscribe: UnsubscribeLinks }
