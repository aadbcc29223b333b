import * as z from 'zod/mini'
import { EMAIL_PATTERN } from './email-pattern'

// C0 controls and DEL; a line break survives in prose only.
const CONTROLS = /[\u0000-\u001f\u007f]/g
const CONTROLS_EXCEPT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f]/g

const wellFormed = z.refine<string>((value) => value.isWellFormed(), 'That text holds a broken character.')

/** One line of text from a person: NFC, trimmed, control characters removed, 1 to `max` UTF-16 units. */
export function line(max: number, name = 'That field') {
  return optionalLine(max, name).check(z.minLength(1, `${name} must not be empty.`))
}

/** One line of text as above, 0 to `max` UTF-16 units. */
export function optionalLine(max: number, name = 'That field') {
  return z.string(`${name} must be text.`).check(
    wellFormed,
    z.overwrite((value) => value.normalize('NFC').replace(CONTROLS, '').trim()),
    z.maxLength(max, `${name} must be at most ${max} characters.`),
  )
}

/** Several lines of text from a person, 0 to `max` UTF-16 units. */
export function prose(max: number, name = 'That field') {
  return z.string(`${name} must be text.`).check(
    wellFormed,
    z.overwrite((value) => value.replace(/\r\n?/g, '\n').normalize('NFC').replace(CONTROLS_EXCEPT_NEWLINE, '').trim()),
    z.maxLength(max, `${name} must be at most ${max} characters.`),
  )
}

export const emailAddress = z.string('Please enter a valid email address.').check(
  wellFormed,
  z.refine((value) => !/[\u0000-\u001f\u007f]/.test(value), 'Please enter a valid email address.'),
  z.overwrite((value) => value.normalize('NFC').trim()),
  z.maxLength(254, 'Please enter a valid email address.'),
  // Looked up when it is asked: the built page may evaluate this file before the one that has the shape.
  z.refine((typed) => EMAIL_PATTERN.test(typed), 'Please enter a valid email address.'),
)

/** An instant on the wire: ISO 8601, UTC, ending in Z. */
export const timestamp = z.iso.datetime()
/** An address of a picture or page: absolute https or a path of this origin. */
export const href = z.string()
