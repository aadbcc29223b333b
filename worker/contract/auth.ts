import * as z from 'zod/mini'
import { LogIn, SignUp } from './credentials'
import { get, post } from './endpoint'
import { TIERS } from './site'

/** The logged-in person as their own browser sees them. */
export const Me = z.object({
  id: z.int(),
  username: z.string(),
  points: z.int(),
  email: z.string(),
  emailVerified: z.boolean(),
  tier: z.enum(TIERS),
  role: z.enum(['supporter', 'administrator']),
  referralCode: z.string(),
  /** Bonuses paid for this code; never above the limit. */
  referralsUsed: z.int(),
  referralLimit: z.int(),
})
export type Me = z.infer<typeof Me>

export const authApi = {
  status: get('/api/auth/status', z.nullable(Me)),
  user: get('/api/auth/user', Me, { who: 'supporter' }),
  signup: post('/api/auth/signup', SignUp, Me),
  login: post('/api/auth/login', LogIn, Me),
  logout: post('/api/auth/logout', null, null),
  /** Leaves for Google; `?referralCode=` and `?return=` come back with the browser. */
  google: get('/api/auth/google', null),
}
