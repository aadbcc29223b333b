import { TIERS, type TierId } from '../contract/site'
import { Refused } from '../lib/refused'

/** What is not for everybody. An exclusive thing is for silver and above (ruling 34); nothing else is decided elsewhere. */
export const REQUIRED_TIER = { exclusiveTrack: 'silver', exclusivePost: 'silver' } as const satisfies Record<
  string,
  TierId
>
export type Gated = keyof typeof REQUIRED_TIER

const SENTENCES: Record<Gated, string> = {
  exclusiveTrack: 'This track is for Silver and Gold supporters.',
  exclusivePost: 'This is for Silver and Gold supporters.',
}

/** Whether a person of `tier` may have what is `gated`; null is a visitor, who stands where bronze does. */
export function opens(gated: Gated, tier: TierId | null): boolean {
  return TIERS.indexOf(tier ?? 'bronze') >= TIERS.indexOf(REQUIRED_TIER[gated])
}

/** @throws Refused `tier_required` for who may not. */
export function mustOpen(gated: Gated, tier: TierId | null): void {
  if (!opens(gated, tier)) throw new Refused('tier_required', SENTENCES[gated])
}

/** A tier by any of its names: free and vip are bronze and gold (ruling 26). */
export function tierNamed(name: TierId | 'free' | 'vip'): TierId {
  if (name === 'free') return 'bronze'
  return name === 'vip' ? 'gold' : name
}
