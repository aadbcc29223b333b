import type { AuditEntry } from '../../worker/contract/admin'
import { capitalize } from '../lib/format'

/** `{}` stands for the record that the action changed. */
const SENTENCES: Readonly<Record<string, string>> = {
  'session.opened': 'logged in',
  'session.closed': 'logged out',
  'second_factor.on': 'turned the authenticator app on',
  'second_factor.off': 'turned the authenticator app off',
  'passkey.added': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'administrator.made': 'joined the team',
  'administrator.appointed': 'added {} to the team',
  'administrator.revoked': 'removed {} from the team',
  'administrator.role_changed': 'changed the role of {}',
  'api_token.created': 'created an access token',
  'api_token.revoked': 'revoked an access token',
  'webhook.added': 'added a webhook',
  'webhook.changed': 'changed a webhook',
  'webhook.removed': 'deleted a webhook',
  'webhook.rotated': 'replaced the secret of a webhook',
  'webhook.tested': 'sent a test event to a webhook',
  'webhook.replayed': 'sent a webhook’s event again',
  'supporter.banned': 'banned {}',
  'supporter.unbanned': 'lifted the ban on {}',
  'supporter.revealed': 'looked at the email address of {}',
  'supporter.noted': 'wrote a note about {}',
  'supporter.note_removed': 'removed a note about {}',
  'supporter.logged_out': 'logged {} out everywhere',
  'supporter.erased': 'erased the account of {}',
  'supporter.votes_excluded': 'took the votes of {} out of the open polls',
  'supporter.votes_included': 'counted the votes of {} again',
  'points.adjusted': 'changed the points of {}',
  'points.voided': 'took points back from {}',
  'address.read': 'looked up what is stored about an address',
  'address.mailed': 'emailed an address what is stored about it',
  'address.erased': 'erased what was stored about an address',
  'inquiry.answered': 'answered a privacy inquiry',
  'archive.downloaded': 'downloaded an archive of the site',
  'archive.requested': 'requested an archive of the site',
  'export.requested': 'requested an export',
  'export.scheduled': 'set up a weekly export',
  'export.unscheduled': 'stopped a weekly export',
  'export.downloaded': 'downloaded an export',
  'import.uploaded': 'uploaded a file to import',
  'import.checked': 'checked a file to import',
  'import.started': 'started an import',
  'import.undone': 'undid an import',
  'import.discarded': 'deleted a file that was not imported',
  'import.report_downloaded': 'downloaded the report of an import',
  'order.refunded': 'refunded {}',
  'order.revealed': 'looked at the address of {}',
  'order.printed': 'read the shipping address of {} to pack or print it',
  'order.fulfilment': 'updated the shipping of {}',
  'payment.seen': 'marked a payment as reviewed',
  'promotion.rotated': 'started a new broadcast code',
  'post.kept': 'dismissed the reports of a post',
  'post.hidden': 'hid a post',
  'post.published': 'published a post',
  'poll.added': 'added the poll {}',
  'codes.added': 'made download codes',
  'codes.read': 'opened the codes of a batch',
  'master.begun': 'started to upload a master of {}',
  'master.stored': 'uploaded a master of {}',
  'master.cancelled': 'canceled the upload of a master',
  'master.downloaded': 'downloaded a master of {}',
  'master.removed': 'deleted a master of {}',
  'track.reordered': 'changed the order of the tracks',
  'product.reordered': 'changed the order of the products',
  'mission.reordered': 'changed the order of the missions',
  'social_post.reordered': 'changed the order of the New Post cards',
  'shipping_zone.reordered': 'changed the order of the shipping zones',
  'site.changed': 'changed the site’s details',
  'site.steps_hidden': 'hid the first steps on the overview',
  'site.steps_shown': 'showed the first steps on the overview again',
  'appearance.changed': 'changed the theme or the home page',
  'legal_text.changed': 'changed the legal text {}',
  'currency.changed': 'changed the currency',
  'shop_settings.changed': 'changed the shop’s settings',
  'door.renewed': 'renewed the check-in code of {}',
  'mail.revealed': 'looked at the recipient of an email',
  'mail.resent': 'sent an email again',
  'mail.resent_failed': 'sent all failed emails again',
  'mail.stop_lifted': 'allowed emails to an address again',
  'submission.revealed': 'looked at who sent a verse',
  'submission.marked': 'changed the shortlist or note of a verse',
  'submission.rated': 'rated a verse',
  'csv_link.sent': 'emailed a link to the ballots',
  'csv_link.used': 'downloaded the ballots by an emailed link',
  'ballots.kept': 'counted the ballots of new accounts in {}',
  'challenge.finalists_named': 'named the finalists of {}',
  'challenge.moved_on': 'moved {} to its next stage',
  'challenge.sealed': 'sealed the result of {}',
}

/** Nouns of records in lists, for actions such as `track.added`. */
const NOUNS: Readonly<Record<string, string>> = {
  social_post: 'social post',
  concert: 'show',
  shipping_zone: 'shipping zone',
  tax_rate: 'tax rate',
  challenge: 'verse challenge',
}
const VERBS: Readonly<Record<string, string>> = {
  added: 'added',
  changed: 'changed',
  removed: 'deleted',
  restored: 'restored',
  ended: 'ended',
  resumed: 'resumed',
}

/** An audited action as a sentence without the actor: 'banned marigold'. */
export function auditSentence({
  action,
  subject,
  subjectName,
}: Pick<AuditEntry, 'action' | 'subject' | 'subjectName'>) {
  const [kind, key] = splitAt(subject, ':')
  const quotedName = kind === 'user' ? subjectName : `“${subjectName}”`
  const name = subjectName === '' ? key : quotedName
  const template = SENTENCES[action]
  if (template) return template.replace('{}', kind === 'order' ? `order ${key}` : name || 'a deleted record')
  const [noun, verb] = splitAt(action, '.')
  const nounText = NOUNS[noun] ?? noun.replaceAll('_', ' ')
  const verbText = VERBS[verb] ?? verb.replaceAll('_', ' ')
  return `${verbText} the ${nounText}${name ? ` ${name}` : ''}`
}

function splitAt(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

/** The details of an audited action as text: 'Reason: spam. Reports: 3'. Empty details are left out. */
export const auditDetails = (detail: AuditEntry['detail']): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${detailLabel(name)}: ${value}`)
    .join('. ')

/** `sentTo` or `sent_to` as 'Sent to'. */
const detailLabel = (name: string) =>
  capitalize(
    name
      .replace(/([A-Z])/g, ' $1')
      .replaceAll('_', ' ')
      .toLowerCase(),
  )
