// `npm run admin:create` loads this file in Node, so an import here needs the `.ts` extension.

/**
 * Key of a mailbox, without aliases: drops what follows a plus and, for Gmail, dots; the domain is in punycode.
 * Addresses with the same key count as one mailbox.
 */
export function mailboxKey(email: string): string {
  const normalized = normalizeKey(email)
  const atIndex = normalized.lastIndexOf('@')
  const domain = asciiDomain(normalized.slice(atIndex + 1)).replace(/^googlemail\.com$/, 'gmail.com')
  const name = normalized.slice(0, atIndex).replace(/\+.*$/, '')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}

/** Punycode of a domain, by UTS 46 as mail servers see it; an invalid one stays as it is. */
function asciiDomain(domain: string): string {
  const isHost = !/[/?#%:@\\]/.test(domain) && URL.canParse(`http://${domain}`)
  return isHost ? new URL(`http://${domain}`).hostname : domain
}

/** Key for comparing names and addresses: NFKC, trimmed, single spaces, lower case. Never for display. */
export function normalizeKey(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** `j…@mail.example` */
export const maskEmail = (email: string) => `${[...email][0] ?? ''}…${email.slice(email.lastIndexOf('@'))}`

/** `••• ••• ••00` */
export const maskPhone = (phone: string) => (phone === '' ? '' : `••• ••• ••${phone.slice(-2)}`)
