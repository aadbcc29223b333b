import { TIERS, type TierId } from '../contract/site'
import { AppError } from '../lib/app-error'

/** Minimum tier of exclusive tracks. Each exclusive post stores its minimum tier. */
const EXCLUSIVE_TRACK_TIER: TierId = 'silver'

/** Whether `tier` is at least `required`. Null is a visitor, who counts as bronze. */
export function hasTierAccess(required: TierId, tier: TierId | null): boolean {
  return TIERS.indexOf(tier ?? 'bronze') >= TIERS.indexOf(required)
}

const TIER_ORDER = TIERS.join(' ')
/** `hasTierAccess` as an SQL condition on two SQL expressions. */
export const tierAccessSql = (required: string, tier: string) =>
  `(instr('${TIER_ORDER}', coalesce(${tier}, 'bronze')) >= instr('${TIER_ORDER}', ${required}))`

/** @throws AppError `tier_required` if the tier does not include exclusive tracks. */
export function requireTrackAccess(tier: TierId | null): void {
  if (!hasTierAccess(EXCLUSIVE_TRACK_TIER, tier))
    throw new AppError('tier_required', 'This track is for Silver and Gold supporters.')
}

/** The tier of a name: `free` and `vip` are aliases of bronze and gold. */
export function parseTierName(name: TierId | 'free' | 'vip'): TierId {
  if (name === 'free') return 'bronze'
  return name === 'vip' ? 'gold' : name
}
