import type { Account, Me } from '../../worker/contract/auth'

/** The session of a silver member with a confirmed address. */
export const buildSupporter = (changes: Partial<Me> = {}): Me => ({
  id: 7,
  username: 'silver_sam',
  points: 1240,
  email: 'sam@example.com',
  emailVerified: true,
  tier: 'silver',
  role: 'supporter',
  teamRole: null,
  referralCode: 'XX7ABC',
  referralsUsed: 0,
  referralLimit: 3,
  ...changes,
})

/** Account settings of a supporter with a password and a confirmed address. */
export const buildAccount = (changes: Partial<Account> = {}): Account => ({
  username: 'ana',
  email: 'ana@fan.example',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  google: false,
  emailedCode: false,
  phoneEnds: null,
  leaderboardOptOut: false,
  createdAt: '2026-07-01T16:00:00.000Z',
  provenUntil: '2026-01-01T00:15:00.000Z',
  ...changes,
})
