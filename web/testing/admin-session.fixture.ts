import type { AdminSession } from '../../worker/contract/admin'

/** `expiresAt` is in the past: only `secondsLeft` counts, because device clocks may be wrong. */
export const buildAdminSession = (changes: Partial<AdminSession> = {}): AdminSession => ({
  userId: 7,
  username: 'boss',
  expiresAt: '2020-02-29T12:00:00.000Z',
  secondsLeft: 60,
  teamRole: 'owner',
  hasPassword: true,
  google: false,
  emailedCode: false,
  ...changes,
})
