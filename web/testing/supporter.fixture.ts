import type { Me } from '../../worker/contract/auth'

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
