import type { Email } from '../email/outbox'
import { renderEmail, type UnsubscribeLinks } from '../email/render-email'

/** Asks to confirm the subscription (double opt-in). */
export function confirmNewsletterEmail({ siteName, origin, token }: ConfirmEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_confirm',
    subject: `Confirm your place on the list of ${siteName}`,
    from: siteName,
    paragraphs: [
      'Somebody, we hope you, put this address down for news of new merch, music and shows.',
      'One press, and you are on the list. Without it nothing more is sent to you.',
      'You stay on it if an account whose address was never confirmed is deleted; every mail has a way out.',
    ],
    action: { label: 'Yes, put me on the list', url: `${origin}/newsletter/confirm?token=${token}` },
    after: ['The link works for seven days. If this was not you, ignore this mail and nothing happens.'],
  })
}

export function welcomeEmail({ siteName, origin, unsubscribe }: SubscriberEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_welcome',
    subject: `You are on the list of ${siteName}`,
    from: siteName,
    paragraphs: [
      'Thank you. New drops, new music and new shows reach you first from now on.',
      'Until then: the latest single is waiting on the turntable.',
    ],
    action: { label: 'Listen now', url: `${origin}/#music` },
    unsubscribe,
  })
}

/** Answers a repeated request by email: the HTTP response must not tell whether an address is on the list. */
export function alreadySubscribedEmail({ siteName, origin, unsubscribe }: SubscriberEmailProps): Email {
  return renderEmail({
    kind: 'newsletter_already',
    subject: `You are already on the list of ${siteName}`,
    from: siteName,
    paragraphs: ['This address was put down again just now. It is on the list already, so there is nothing to do.'],
    action: { label: 'Back to the site', url: `${origin}/` },
    unsubscribe,
  })
}

type ConfirmEmailProps = { siteName: string; origin: string; token: string }
type SubscriberEmailProps = { siteName: string; origin: string; unsubscribe: UnsubscribeLinks }
