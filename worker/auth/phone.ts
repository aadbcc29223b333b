import { Refused } from '../lib/refused'
import { sign } from '../lib/signature'

/** What is kept of a supporter's phone number (ruling 20). */
export type KeptPhone = { hash: string; last2: string }

/**
 * Reads a phone number in any usual spelling (numbers without a country code are American) and keeps a keyed hash of
 * its E.164 form and its last two digits.
 * @throws Refused `bad_input` for anything that is not one dialable number.
 */
export async function keepPhone(secret: string, typed: string): Promise<KeptPhone> {
  // Fetched when needed: its tables are the largest thing that the worker would otherwise evaluate at start.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const spelled = /^[\p{Nd}\s().+/-]+$/u.test(typed)
  const phone = spelled ? parsePhoneNumberFromString(typed, 'US') : undefined
  if (!phone?.isValid()) throw new Refused('bad_input', 'Please enter a valid phone number.')
  return { hash: await sign(secret, 'phone', phone.number), last2: phone.number.slice(-2) }
}
