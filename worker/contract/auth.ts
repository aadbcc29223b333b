import * as z from 'zod/mini'
import { get } from './endpoint'
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
  referralsUsed: z.int(),
  referralLimit: z.int(),
})
export type Me = z.infer<typeof Me>

export const authApi = {
  status: get('/api/auth/status', z.nullable(Me)),
}
