import { AppError } from '../lib/app-error'
import { sign } from '../lib/crypto'

/** What is kept of a supporter's phone number (ruling 20). */
export type HashedPhone = { hash: string; last2: string }

/**
 * The E.164 form of a phone number in any usual spelling; numbers without a country code are American.
 * @throws AppError `bad_input` for anything that is not one dialable number.
 */
export async function normalizePhone(input: string): Promise<string> {
  // Fetched when needed: its tables are the largest thing that the worker would otherwise evaluate at start.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const hasPhoneCharacters = /^[\p{Nd}\s().+/-]+$/u.test(input)
  const phone = hasPhoneCharacters ? parsePhoneNumberFromString(input, 'US') : undefined
  if (!phone?.isValid()) throw new AppError('bad_input', 'Please enter a valid phone number.')
  return phone.number
}

/** Of such a number a keyed hash and its last two digits. @throws AppError as `dialable`. */
export async function hashPhone(secret: string, input: string): Promise<HashedPhone> {
  const number = await normalizePhone(input)
  return { hash: await sign(secret, 'phone', number), last2: number.slice(-2) }
}
