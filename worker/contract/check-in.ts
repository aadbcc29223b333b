import * as z from 'zod/mini'
import { Concert } from './concerts'
import { confirmed, del, doorTeam, get, post, user, visitor } from './endpoint'
import { timestamp } from './fields'
import { PointsAward } from './points'

// Not in concerts.ts, which is in the initial bundle.

/** TOTP time step (RFC 6238). Codes of the previous and the next step are accepted too. */
export const CODE_STEP_SECONDS = 30

/** Everyone who is going is counted; names are opt-in. */
export const Attendance = z.object({
  count: z.int(),
  /** Latest first, at most 24. */
  names: z.array(z.string()),
  /** Null for a visitor. */
  me: z.nullable(z.object({ going: z.boolean(), named: z.boolean() })),
})
export type Attendance = z.infer<typeof Attendance>

export const ShowPage = z.object({
  ...Concert.shape,
  /** The server's clock, which decides what is open. */
  now: timestamp,
  checkIn: z.object({
    /** Check-in is open from `opensAt` to before `closesAt`. */
    opensAt: timestamp,
    closesAt: timestamp,
    points: z.int(),
    /** When the caller checked in; null if not. */
    doneAt: z.nullable(timestamp),
  }),
  going: Attendance,
})
export type ShowPage = z.infer<typeof ShowPage>

const CODE_MESSAGE = 'Please enter the six digits shown at the door.'
const code = z.string(CODE_MESSAGE).check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  z.regex(/^\d{6}$/, CODE_MESSAGE),
)

/** The code shown at the door, or the token of a scan made before logging in. */
const CheckIn = z
  .strictObject({ code: z.optional(code), arrivalToken: z.optional(z.string().check(z.maxLength(500))) })
  .check(z.refine(({ code, arrivalToken }) => (code === undefined) !== (arrivalToken === undefined), CODE_MESSAGE))

/** A visitor's scan, redeemed by `checkIn` after login. `arrivalToken` is the check-in token. */
export const CheckInToken = z.object({ arrivalToken: z.string(), expiresAt: timestamp })
export type CheckInToken = z.infer<typeof CheckInToken>

/** The code at the door, and what the screen needs to continue offline. */
export const CheckInCode = z.object({
  code: z.string(),
  expiresAt: timestamp,
  /** base64url TOTP secret of this show. */
  secret: z.string(),
  stepSeconds: z.int(),
  now: timestamp,
  opensAt: timestamp,
  closesAt: timestamp,
})
export type CheckInCode = z.infer<typeof CheckInCode>

export const CheckInCounts = z.object({ arrived: z.int(), going: z.int() })
export type CheckInCounts = z.infer<typeof CheckInCounts>

export const checkInApi = {
  show: get('/api/concerts/:id', ShowPage, { ...visitor, description: '`:id` may be the slug.' }),
  going: post('/api/concerts/:id/going', z.strictObject({ named: z.boolean() }), Attendance, {
    ...user,
    signInMessage: 'Please sign up or login to say that you are going',
    checksSessionInSql: true,
    description: 'Idempotent; updates `named`. 410 once the show is over.',
  }),
  notGoing: del('/api/concerts/:id/going', null, Attendance, { ...user, checksSessionInSql: true }),
  checkIn: post('/api/concerts/:id/check-in', CheckIn, PointsAward, {
    ...confirmed,
    signInMessage: 'Please sign up or login to check in',
    description:
      '400 `bad_input` for a wrong or expired code, `bad_token` for such a token; 409 if checked in already; 410 while check-in is closed; 429.',
    starts: 'deliver_webhooks',
  }),
  createToken: post('/api/concerts/:id/arrivals', z.strictObject({ code }), CheckInToken, {
    ...visitor,
    description:
      'For visitors: exchanges the code for a token valid 30 minutes and bound to the browser by a cookie. 400 `bad_input` for a wrong or expired code; 410; 429.',
  }),
  code: get('/api/admin/concerts/:id/check-in-code', CheckInCode, doorTeam),
  renewSecret: post('/api/admin/concerts/:id/check-in-code/renew', null, CheckInCode, {
    ...doorTeam,
    description: 'Invalidates all codes of the old secret.',
  }),
  counts: get('/api/admin/concerts/:id/arrivals', CheckInCounts, doorTeam),
}
