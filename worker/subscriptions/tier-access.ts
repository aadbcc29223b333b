import { TIERS, type TierId } from '../contract/site'
import { AppError } from '../lib/app-error'

// What is not for everybody, and for whom. Nothing decides that elsewhere.

/** An exclusive track is for silver and above (ruling 34). A post for the tiers says on its row whose it is. */
const EXCLUSIVE_TRACK_TIER: TierId = 'silver'

/** Whether a person of `tier` may have what is for `required` and above; null is a visitor, who stands where bronze does. */
export function hasTierAccess(required: TierId, tier: TierId | null): boolean {
  return TIERS.indexOf(tier ?? 'bronze') >= TIERS.indexOf(required)
}

const TIER_ORDER = TIERS.join(' ')
/** The same in SQL, of two expressions. */
export const tierAccessSql = (required: string, tier: string) =>
  `(instr('${TIER_ORDER}', coalesce(${tier}, 'bronze')) >= instr('${TIER_ORDER}', ${required}))`

/** @throws AppError `tier_required` for who may not hear an exclusive track. */
export function requireTrackAccess(tier: TierId | null): void {
  if (!hasTierAccess(EXCLUSIVE_TRACK_TIER, tier))
    throw new AppError('tier_required', 'This track is for Silver and Gold supporters.')
}

/** A tier by any of its names: free and vip are bronze and gold (ruling 26). */
export function parseTierName(name: TierId | 'free' | 'vip'): TierId {
  if (name === 'free') return 'bronze'
  return name === 'vip' ? 'gold' : name
}
