import * as z from 'zod/mini'
import { post } from './endpoint'
import { emailAddress } from './text'

export const newsletterApi = {
  subscribe: post(
    '/api/newsletter/subscribe',
    z.strictObject({ email: emailAddress }),
    z.object({ pointsEarned: z.int() }),
  ),
}
