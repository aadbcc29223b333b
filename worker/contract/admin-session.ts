import * as z from 'zod/mini'
import { LogIn } from './credentials'
import { get, post } from './endpoint'
import { instant } from './text'

/** An administrator's session: 24 hours from log-in, whatever is done meanwhile (ruling 7). */
export const AdminSession = z.object({ username: z.string(), expiresAt: instant })
export type AdminSession = z.infer<typeof AdminSession>

export const adminSessionApi = {
  login: post('/api/admin/login', LogIn, AdminSession),
  logout: post('/api/admin/logout', null, null),
  session: get('/api/admin/session', AdminSession, { who: 'administrator' }),
}
