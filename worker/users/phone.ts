import { AppError } from '../lib/app-error'
import { sign } from '../lib/crypto'

export type HashedPhone = { hash: string; last2: string }

/**
 * Converts a phone number to E.164; a number without a country code is read as a US number.
 * @throws AppError `bad_input` if invalid.
 */
export async function normalizePhone(input: string): Promise<string> {
  // Imported lazily, because the library's tables are the largest module of the worker.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const hasPhoneCharacters = /^[\p{Nd}\s().+/-]+$/u.test(input)
  const phone = hasPhoneCharacters ? parsePhoneNumberFromString(input, 'US') : undefined
  if (!phone?.isValid()) throw new AppError('bad_input', 'Please enter a valid phone number.')
  return phone.number
}

/** Keyed hash and last two digits. @throws as `normalizePhone`. */
export async function hashPhone(secret: string, input: string): Promise<HashedPhone> {
  const number = await normalizePhone(input)
  return { hash: await sign(secret, 'phone', number), last2: number.slice(-2) }
}
