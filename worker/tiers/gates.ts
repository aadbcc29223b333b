import { TIERS, type TierId } from '../contract/site'
import { Refused } from '../lib/refused'

// What is not for everybody, and for whom. Nothing decides that elsewhere.

/** An exclusive track is for silver and above (ruling 34). A post for the tiers says on its row whose it is. */
const EXCLUSIVE_TRACK: TierId = 'silver'

/** Whether a person of `tier` may have what is for `required` and above; null is a visitor, who stands where bronze does. */
export function opens(required: TierId, tier: TierId | null): boolean {
  return TIERS.indexOf(tier ?? 'bronze') >= TIERS.indexOf(required)
}

const LADDER = TIERS.join(' ')
/** The same in SQL, of two expressions. */
export const OPENS = (required: string, tier: string) =>
  `(instr('${LADDER}', coalesce(${tier}, 'bronze')) >= instr('${LADDER}', ${required}))`

/** @throws Refused `tier_required` for who may not hear an exclusive track. */
export function mustOpenTrack(tier: TierId | null): void {
  if (!opens(EXCLUSIVE_TRACK, tier)) throw new Refused('tier_required', 'This track is for Silver and Gold supporters.')
}

/** A tier by any of its names: free and vip are bronze and gold (ruling 26). */
export function tierNamed(name: TierId | 'free' | 'vip'): TierId {
  if (name === 'free') return 'bronze'
  return name === 'vip' ? 'gold' : name
}
