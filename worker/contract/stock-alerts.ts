import * as z from 'zod/mini'
import { post, visitor } from './endpoint'
import { emailAddress, line, turnstileToken } from './fields'
import { LinkToken } from './newsletter'

/** One email once a sold-out variant is in stock again; double opt-in. */
export const stockAlertsApi = {
  add: post(
    '/api/stock-alerts',
    z.strictObject({ variantId: line(64, 'The variant'), email: emailAddress, turnstileToken }),
    null,
    {
      ...visitor,
      description:
        '202, alike for known and new addresses. 404 `not_found`; 409 `conflict` while the variant is in stock.',
      status: 202,
    },
  ),
  confirm: post('/api/stock-alerts/confirm', LinkToken, z.object({ confirmed: z.literal(true) }), {
    ...visitor,
    description: '400 `bad_token`.',
  }),
}
