import * as z from 'zod/mini'
import { line, optionalLine } from './text'

// The kinds of fields that the desk's forms have.

/** An address that the public pages lead to: https, or nothing. */
export const httpsUrl = (name: string) =>
  optionalLine(500, name).check(
    z.refine((value) => value === '' || /^https:\/\/[^\s"<>]+$/.test(value), `${name} must begin with https://.`),
  )
/** A picture of ours, as an upload answers it. */
export const imagePath = (name: string) =>
  line(300, name).check(
    z.refine(
      (value) => /^\/media\/[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(value),
      `${name} must be a picture that was uploaded here.`,
    ),
  )
export const wholeNumber = (name: string, max: number) =>
  z
    .int(`${name} must be a whole number.`)
    .check(z.minimum(0, `${name} must not be negative.`), z.maximum(max, `${name} is too large.`))

export const cents = (name: string) =>
  z
    .int(`${name} must be an amount like 19.99.`)
    .check(z.minimum(0, `${name} must not be negative.`), z.maximum(10_000_000, `${name} is too large.`))

/** A day of the calendar, YYYY-MM-DD. */
export const calendarDay = (name: string) =>
  z.string(`${name} must be a day like 2026-07-04.`).check(
    z.minLength(1, `${name} must not be empty.`),
    z.regex(/^\d{4}-\d{2}-\d{2}$/, `${name} must be a day like 2026-07-04.`),
    z.refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text, 'There is no such day.'),
  )
/** One thing a line; blank lines are left out. */
export const lines = (name: string, { each, most }: { each: number; most: number }) =>
  z.array(optionalLine(each, name)).check(
    z.overwrite((all) => all.filter((one) => one !== '')),
    z.maxLength(most, `${name} has at most ${most} lines.`),
  )
