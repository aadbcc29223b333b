import type { Email } from '../email/outbox'
import { greeting, renderEmail } from '../email/render-email'

// Links with a token (`?token=`) open a page whose button sends a POST: opening them changes nothing.

export function verificationEmail({ siteName, origin, token }: Omit<LinkEmailParams, 'username'>): Email {
  return renderEmail({
    kind: 'verify',
    subject: `Confirm your email for ${siteName}`,
    from: siteName,
    paragraphs: ['Please confirm that this is your email address.'],
    action: { label: 'Confirm my email', url: `${origin}/verify-email?token=${token}` },
    smallPrint: [
      'The link works for three days, on any device. Where you are not logged in, it asks for your password.',
      'If you did not sign up, open the link and choose “This was not me”. That deletes the account.',
    ],
  })
}

export function passwordResetEmail({ siteName, origin, username, token }: LinkEmailParams): Email {
  return renderEmail({
    kind: 'reset',
    subject: `Choose a new password for ${siteName}`,
    from: siteName,
    paragraphs: [...greeting(username), 'We received a request to reset your password.'],
    action: { label: 'Choose a new password', url: `${origin}/reset-password?token=${token}` },
    smallPrint: [
      'The link works once, for one hour. Your current password works until you choose a new one.',
      'If you did not ask for this, you can ignore this email.',
    ],
  })
}

/** For an unconfirmed address, so it contains nothing that a user has typed. */
export function newAddressEmail({ siteName, origin, token }: Omit<LinkEmailParams, 'username'>): Email {
  return renderEmail({
    kind: 'email_change',
    subject: `Confirm your new email for ${siteName}`,
    from: siteName,
    paragraphs: ['Hello,', 'Please confirm that this is your email address. Your account will use it once you do.'],
    action: { label: 'Confirm my new email', url: `${origin}/verify-email?token=${token}` },
    smallPrint: [
      'The link works for three days, on any device. Where you are not logged in, it asks for your password.',
      'If you did not ask for this, open the link and choose “This was not me”.',
    ],
  })
}

/** For the old address, with a link that undoes the change. */
export function emailChangedEmail({ siteName, origin, token }: Omit<LinkEmailParams, 'username'>): Email {
  return renderEmail({
    kind: 'email_changed',
    subject: `Your email address for ${siteName} was changed`,
    from: siteName,
    paragraphs: ['Hello,', 'The email address of your account was changed, and we logged you out on all your devices.'],
    action: { label: 'Undo the change', url: `${origin}/undo-email-change?token=${token}` },
    smallPrint: ['The link works for seven days. If this was you, there is nothing you need to do.'],
  })
}

/** Notifies the owner, who may not have changed the password. */
export function passwordChangedEmail({
  siteName,
  origin,
  username,
}: Omit<NoticeParams, 'username'> & { username: string | null }): Email {
  return renderEmail({
    kind: 'password_changed',
    subject: `Your password for ${siteName} was changed`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      'Your password was just changed, and we logged you out on all your other devices.',
    ],
    action: { label: 'This was not me', url: `${origin}/reset-password` },
    smallPrint: ['If this was you, there is nothing you need to do.'],
  })
}

export const passkeyAddedEmail = (params: NoticeParams): Email =>
  passkeyNotice('passkey_added', 'was added to your account', params)

export const passkeyRemovedEmail = (params: NoticeParams): Email =>
  passkeyNotice('passkey_removed', 'was removed from your account', params)

function passkeyNotice(kind: string, event: string, { siteName, origin, username }: NoticeParams): Email {
  return renderEmail({
    kind,
    subject: `A passkey ${event} at ${siteName}`,
    from: siteName,
    paragraphs: [`Hi ${username},`, `A passkey ${event} just now.`],
    action: { label: 'This was not me', url: `${origin}/reset-password` },
    smallPrint: ['If this was you, there is nothing you need to do.'],
  })
}

/** For the owners of the site and the token's creator. */
export function apiTokenCreatedEmail({
  siteName,
  origin,
  creator,
  tokenName,
}: Omit<NoticeParams, 'username'> & { creator: string; tokenName: string }): Email {
  return renderEmail({
    kind: 'token_created',
    subject: `An access token was created at ${siteName}`,
    from: siteName,
    paragraphs: [
      'Hello,',
      `${creator} just created the access token “${tokenName}”. A program that has it can use the dashboard’s data.`,
    ],
    action: { label: 'Open the Developers screen', url: `${origin}/admin/developers` },
    smallPrint: [
      'If you did not expect this, revoke the token there. A new password ends the tokens of its account too.',
    ],
  })
}

/** Contains a code that re-authenticates an account without other credentials. */
export function reauthenticationCodeEmail({
  siteName,
  username,
  code,
}: {
  siteName: string
  username: string | null
  code: string
}): Email {
  return renderEmail({
    kind: 'confirm',
    subject: `Your code for ${siteName}`,
    from: siteName,
    paragraphs: [...greeting(username), 'Enter this code to confirm it is you:'],
    code,
    smallPrint: ['The code works once, for ten minutes. We will never ask you for it.'],
  })
}

type NoticeParams = { siteName: string; origin: string; username: string }
type LinkEmailParams = { siteName: string; origin: string; username: string | null; token: string }
