import * as z from 'zod/mini'
import { isEmail } from './credential-rules'

// C0 controls and DEL; prose keeps line breaks.
const CONTROLS = /[\u0000-\u001f\u007f]/g
const CONTROLS_EXCEPT_NEWLINE = /[\u0000-\u0009\u000b-\u001f\u007f]/g

const wellFormed = z.refine<string>((value) => value.isWellFormed(), 'That text contains an invalid character.')

/**
 * One line: NFC, trimmed, without control characters, 1 to `max` UTF-16 code units. `missing` is the error for an
 * absent or empty value.
 */
export function line(max: number, name = 'That field', missing = `${name} is required.`) {
  return optionalLine(max, name, missing).check(z.minLength(1, missing))
}

/** Like `line`, but may be empty. `absent` is the error for an absent value. */
export function optionalLine(max: number, name = 'That field', absent = `${name} must be text.`) {
  return z.string({ error: ({ input }) => (input === undefined ? absent : `${name} must be text.`) }).check(
    wellFormed,
    z.overwrite((value) => value.normalize('NFC').replace(CONTROLS, '').trim()),
    z.maxLength(max, `${name} must be at most ${max} characters.`),
  )
}

/** Several lines, 0 to `max` UTF-16 code units. */
export function prose(max: number, name = 'That field') {
  return z.string(`${name} must be text.`).check(
    wellFormed,
    z.overwrite((value) => value.replace(/\r\n?/g, '\n').normalize('NFC').replace(CONTROLS_EXCEPT_NEWLINE, '').trim()),
    z.maxLength(max, `${name} must be at most ${max} characters.`),
  )
}

const INVALID_EMAIL = 'Please enter a valid email address.'
export const emailAddress = z.string(INVALID_EMAIL).check(
  // Before trimming, so that no line break is accepted.
  z.refine((value) => value.search(CONTROLS) < 0, INVALID_EMAIL),
  z.overwrite((value) => value.normalize('NFC').trim()),
  z.refine(isEmail, INVALID_EMAIL),
)

/** Token of the Turnstile widget; required while `turnstileSiteKey` of the configuration is not null. */
export const turnstileToken = z.optional(z.string().check(z.minLength(1), z.maxLength(2048)))

/** ISO 8601, UTC, ending in Z. */
export const timestamp = z.iso.datetime()
/** Absolute https URL or a path on this site. */
export const href = z.string()

/** An https URL, or empty. */
export const httpsUrl = (name: string) =>
  optionalLine(500, name).check(
    z.refine((value) => value === '' || /^https:\/\/[^\s"<>]+$/.test(value), `${name} must begin with https://.`),
  )

/** Path of an uploaded image. */
export const imagePath = (name: string) =>
  line(300, name).check(
    z.refine(
      (value) => /^\/media\/[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(value),
      `${name} must be a picture that was uploaded here.`,
    ),
  )

/** R2 key of an uploaded recording. */
export const audioKey = (name: string) =>
  z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/, `${name} must be one that was uploaded here.`))

/** 0 to `max`. */
export const wholeNumber = (name: string, max: number) =>
  z
    .int(`${name} must be a whole number.`)
    .check(z.minimum(0, `${name} must not be negative.`), z.maximum(max, `${name} is too large.`))

/** Integer cents, 0 to 100,000.00 of the currency. */
export const cents = (name: string) =>
  z
    .int(`${name} must be an amount like 19.99.`)
    .check(z.minimum(0, `${name} must not be negative.`), z.maximum(10_000_000, `${name} is too large.`))

/** YYYY-MM-DD. */
export const calendarDay = (name: string) =>
  z.string(`${name} must be a day like 2026-07-04.`).check(
    z.minLength(1, `${name} is required.`),
    z.regex(/^\d{4}-\d{2}-\d{2}$/, `${name} must be a day like 2026-07-04.`),
    z.refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text, 'There is no such day.'),
  )

/** An array of single-line texts; blank ones are dropped. */
export const lines = (name: string, { maxLength, maxLines }: { maxLength: number; maxLines: number }) =>
  z.array(optionalLine(maxLength, name)).check(
    z.overwrite((texts) => texts.filter((text) => text !== '')),
    z.maxLength(maxLines, `${name} has at most ${maxLines} lines.`),
  )

/** Version of the record that a draft was made from: 409 `conflict` if it was saved since. Not checked if omitted. */
export const draftVersion = z.optional(z.int())

/** Response of an endpoint that creates a resource. */
export const CreatedId = z.object({ id: z.string() })

/** All records of a list in their new order; 409 `conflict` if others were added or removed since they were read. */
export const ListOrder = z.strictObject({
  ids: z.array(line(64, 'The id')).check(
    z.minLength(1, 'There is nothing to order.'),
    z.maxLength(500, 'At most 500 records can be ordered.'),
    z.refine((ids) => new Set(ids).size === ids.length, 'A record is listed twice. Load the list again.'),
  ),
})
export type ListOrder = z.infer<typeof ListOrder>
