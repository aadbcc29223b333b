import * as z from 'zod/mini'
import { Concert } from './concerts'
import { del, get, post } from './endpoint'
import { Earned } from './points'
import { instant } from './text'

/** A code at the door stands for so many seconds (RFC 6238). */
export const DOOR_STEP_SECONDS = 30

/** Who means to go: everybody is counted, and only those who said so are named. */
export const Going = z.object({
  count: z.int(),
  /** The latest first, 24 at the most. */
  names: z.array(z.string()),
  /** The caller's own word; null for a visitor. */
  me: z.nullable(z.object({ going: z.boolean(), named: z.boolean() })),
})
export type Going = z.infer<typeof Going>

/** Everything on a show's page. */
export const ShowPage = z.object({
  ...Concert.shape,
  endsAt: instant,
  /** The server's clock, which decides what is open and what is over. */
  now: instant,
  checkIn: z.object({
    /** From the first to before the second, check-in is open. */
    opensAt: instant,
    closesAt: instant,
    points: z.int(),
    /** When the caller checked in; null for a visitor, and for who has not. */
    doneAt: z.nullable(instant),
  }),
  going: Going,
})
export type ShowPage = z.infer<typeof ShowPage>

const SAY = 'Please enter the six digits at the door.'
const code = z.string(SAY).check(
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  z.regex(/^\d{6}$/, SAY),
)

/** Either the code at the door, or the proof of a scan that was made before there was an account. */
export const CheckIn = z
  .strictObject({ code: z.optional(code), arrivalToken: z.optional(z.string().check(z.maxLength(500))) })
  .check(z.refine(({ code, arrivalToken }) => (code === undefined) !== (arrivalToken === undefined), SAY))

/** A visitor's scan, to be redeemed by `checkIn` once there is an account. */
export const Arrival = z.object({ arrivalToken: z.string(), expiresAt: instant })
export type Arrival = z.infer<typeof Arrival>

/** What the door's page shows, and what it needs to go on by itself when the network is gone. */
export const DoorCode = z.object({
  code: z.string(),
  /** When the code turns. */
  expiresAt: instant,
  /** base64url: with the time it makes every code of this show. */
  secret: z.string(),
  stepSeconds: z.int(),
  /** The server's clock, which decides. */
  now: instant,
  opensAt: instant,
  closesAt: instant,
})
export type DoorCode = z.infer<typeof DoorCode>

export const Arrivals = z.object({ arrived: z.int(), going: z.int() })
export type Arrivals = z.infer<typeof Arrivals>

export const checkInApi = {
  show: get('/api/concerts/:id', ShowPage),
  /** Says that one goes, or says it anew with or without one's name. 410 once the show is over. */
  going: post('/api/concerts/:id/going', z.strictObject({ named: z.boolean() }), Going, {
    who: 'supporter',
    signIn: 'Please sign up or login to say that you are going',
    joinsSession: true,
  }),
  notGoing: del('/api/concerts/:id/going', null, Going, { who: 'supporter', joinsSession: true }),
  /** 400 `bad_input` wrong or old code, `bad_token` wrong or old token; 409 done; 410 outside the window; 429. */
  checkIn: post('/api/concerts/:id/check-in', CheckIn, Earned, {
    who: 'supporter',
    signIn: 'Please sign up or login to check in',
    joinsSession: true,
  }),
  /**
   * For who is not logged in: the same code, kept as a token that can be redeemed within 30 minutes, by the browser that
   * scanned: a cookie beside the answer binds it. 400, 410, 429 as above.
   */
  arrive: post('/api/concerts/:id/arrivals', z.strictObject({ code }), Arrival),
  code: get('/api/admin/concerts/:id/check-in-code', DoorCode, { who: 'administrator' }),
  /** A new secret: every code and screenshot of the old one is dead at once. */
  renew: post('/api/admin/concerts/:id/check-in-code/renew', null, DoorCode, { who: 'administrator' }),
  arrivals: get('/api/admin/concerts/:id/arrivals', Arrivals, { who: 'administrator' }),
}
