// Named with its ending: `npm run admin:create` reads this file in Node.
import { normalizeKey } from './normalize.ts'

/**
 * The mailbox behind an address: what follows a plus is the reader's own, and Gmail ignores dots. Two addresses with
 * one mailbox are one person for referrals (ruling 19); they may still be two accounts.
 */
export function mailboxKey(email: string): string {
  const folded = normalizeKey(email)
  const at = folded.lastIndexOf('@')
  const domain = folded.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')
  const name = folded.slice(0, at).replace(/\+.*$/, '')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
