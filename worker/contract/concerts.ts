import * as z from 'zod/mini'
import { del, get, post } from './endpoint'
import { href, line, timestamp } from './fields'
import { PointsAward } from './points'

export const Concert = z.object({
  id: z.string(),
  /** Venue-local: YYYY-MM-DD. */
  date: z.string(),
  city: z.string(),
  venue: z.string(),
  address: z.string(),
  /** Venue-local: HH:mm. */
  startTime: z.string(),
  endTime: z.string(),
  /** IANA zone of the venue. */
  timeZone: z.string(),
  startsAt: timestamp,
  /** A dollar string; '0.00' is free. */
  price: z.string(),
  /** Null when the number is not known. */
  ticketsAvailable: z.nullable(z.int()),
  isSoldOut: z.boolean(),
  hasVip: z.boolean(),
  imageUrl: href,
  imageAlt: z.string(),
})
export type Concert = z.infer<typeof Concert>

/** What a visitor typed into a browser prompt: any non-empty text (specification section 5). */
export const PromptEntry = z.strictObject({ entry: line(200, 'What you entered') })

export const concertsApi = {
  list: get('/api/concerts', z.array(Concert)),
  upcoming: get('/api/concerts/upcoming', z.array(Concert)),
  feed: get('/shows.ics', null),
  event: get('/api/concerts/:id/event.ics', null),
  subscribeAlert: post('/api/shows/alerts', PromptEntry, null),
  requestCity: post('/api/shows/city-requests', PromptEntry, null),
}

/** A code at the door stands for so many seconds (RFC 6238). */
export const CODE_STEP_SECONDS = 30

/** Who means to go: everybody is counted, and only those who said so are named. */
export const Attendance = z.object({
  count: z.int(),
  /** The latest first, 24 at the most. */
  names: z.array(z.string()),
  /** The caller's own word; null for a visitor. */
  me: z.nullable(z.object({ going: z.boolean(), named: z.boolean() })),
})
export type Attendance = z.infer<typeof Attendance>

/** Everything on a show's page. */
export const ShowPage = z.object({
  ...Concert.shape,
  endsAt: timestamp,
  /** The server's clock, which decides what is open and what is over. */
  now: timestamp,
  checkIn: z.object({
    /** From the first to before the second, check-in is open. */
    opensAt: timestamp,
    closesAt: timestamp,
    points: z.int(),
    /** When the caller checked in; null for a visitor, and for who has not. */
    doneAt: z.nullable(timestamp),
  }),
  going: Attendance,
})
export type ShowPage = z.infer<typeof ShowPage>

const CODE_MESSAGE = 'Please enter the six digits at the door.'
const code = z.string(CODE_MESSAGE).check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  z.regex(/^\d{6}$/, CODE_MESSAGE),
)

/** Either the code at the door, or the proof of a scan that was made before there was an account. */
export const CheckIn = z
  .strictObject({ code: z.optional(code), arrivalToken: z.optional(z.string().check(z.maxLength(500))) })
  .check(z.refine(({ code, arrivalToken }) => (code === undefined) !== (arrivalToken === undefined), CODE_MESSAGE))

/** A visitor's scan, to be redeemed by `checkIn` once there is an account. */
export const CheckInToken = z.object({ arrivalToken: z.string(), expiresAt: timestamp })
export type CheckInToken = z.infer<typeof CheckInToken>

/** What the door's page shows, and what it needs to go on by itself when the network is gone. */
export const CheckInCode = z.object({
  code: z.string(),
  /** When the code turns. */
  expiresAt: timestamp,
  /** base64url: with the time it makes every code of this show. */
  secret: z.string(),
  stepSeconds: z.int(),
  /** The server's clock, which decides. */
  now: timestamp,
  opensAt: timestamp,
  closesAt: timestamp,
})
export type CheckInCode = z.infer<typeof CheckInCode>

export const CheckInCounts = z.object({ arrived: z.int(), going: z.int() })
export type CheckInCounts = z.infer<typeof CheckInCounts>

export const checkInApi = {
  show: get('/api/concerts/:id', ShowPage),
  /** Says that one goes, or says it anew with or without one's name. 410 once the show is over. */
  going: post('/api/concerts/:id/going', z.strictObject({ named: z.boolean() }), Attendance, {
    role: 'supporter',
    signInMessage: 'Please sign up or login to say that you are going',
    checksSessionInQuery: true,
  }),
  notGoing: del('/api/concerts/:id/going', null, Attendance, { role: 'supporter', checksSessionInQuery: true }),
  /** 400 `bad_input` wrong or old code, `bad_token` wrong or old token; 409 done; 410 outside the window; 429. */
  checkIn: post('/api/concerts/:id/check-in', CheckIn, PointsAward, {
    role: 'supporter',
    signInMessage: 'Please sign up or login to check in',
    checksSessionInQuery: true,
  }),
  /**
   * For who is not logged in: the same code, kept as a token that can be redeemed within 30 minutes, by the browser that
   * scanned: a cookie beside the answer binds it. 400, 410, 429 as above.
   */
  createToken: post('/api/concerts/:id/arrivals', z.strictObject({ code }), CheckInToken),
  code: get('/api/admin/concerts/:id/check-in-code', CheckInCode, { role: 'administrator' }),
  /** A new secret: every code and screenshot of the old one is dead at once. */
  renewCode: post('/api/admin/concerts/:id/check-in-code/renew', null, CheckInCode, { role: 'administrator' }),
  counts: get('/api/admin/concerts/:id/arrivals', CheckInCounts, { role: 'administrator' }),
}
