import { Refused } from '../lib/refused'
import { sign } from '../lib/signature'

/** What is kept of a supporter's phone number (ruling 20). */
export type KeptPhone = { hash: string; last2: string }

/**
 * The E.164 form of a phone number in any usual spelling; numbers without a country code are American.
 * @throws Refused `bad_input` for anything that is not one dialable number.
 */
export async function dialable(typed: string): Promise<string> {
  // Fetched when needed: its tables are the largest thing that the worker would otherwise evaluate at start.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const spelled = /^[\p{Nd}\s().+/-]+$/u.test(typed)
  const phone = spelled ? parsePhoneNumberFromString(typed, 'US') : undefined
  if (!phone?.isValid()) throw new Refused('bad_input', 'Please enter a valid phone number.')
  return phone.number
}

/** Of such a number a keyed hash and its last two digits. @throws Refused as `dialable`. */
export async function keepPhone(secret: string, typed: string): Promise<KeptPhone> {
  const number = await dialable(typed)
  return { hash: await sign(secret, 'phone', number), last2: number.slice(-2) }
}
