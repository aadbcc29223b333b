import { cymbal, shaker } from './cymbals.ts'
import { type KickPatch, kick } from './kick.ts'
import { cowbell, skin } from './percussion.ts'
import type { Rng } from './rng.ts'
import { clap, rim, type SnarePatch, snare } from './snare.ts'

/** The drums of one song, as numbers; `levels` in decibels against the kit's own balance. */
export interface KitPatch {
  kick: KickPatch
  snare: SnarePatch
  clap: { bright: number; tail: number }
  rim: { hertz: number; length: number; air: number }
  hat: { decay: number; edge: number; metal: number; tune: number }
  open: number
  skins: { low: number; high: number }
  bell: number
  levels?: Readonly<Record<string, number>>
}

/** One drum: takes to play in turn, decibels, place from left to right, share sent to the room. */
export interface Drum {
  takes: Float32Array[]
  gain: number
  pan: number
  room: number
  /** Drums of one hand silence each other. */
  hand?: 'hat'
  /** Backbeats drag; hats and ghosts wander. */
  timing: 'tight' | 'drag' | 'loose'
}

/** Strikes every drum of the kit a few times, as a sampler would record it. */
export function buildKit(patch: KitPatch, rng: Rng): Record<string, Drum> {
  const takes = (count: number, strike: () => Float32Array) => Array.from({ length: count }, strike)
  const { hat, levels = {} } = patch
  const closed = () => cymbal(hat.decay * (0.9 + 0.2 * rng()), hat.edge, hat.metal, hat.tune, rng)
  const kit: Record<string, Drum> = {
    kick: { takes: takes(1, () => kick(patch.kick, rng)), gain: 0, pan: 0, room: 0.015, timing: 'tight' },
    snare: { takes: takes(3, () => snare(patch.snare, rng)), gain: -4, pan: 0, room: 0.2, timing: 'drag' },
    clap: {
      takes: takes(3, () => clap(patch.clap.bright, patch.clap.tail, rng)),
      gain: -6,
      pan: 0.06,
      room: 0.28,
      timing: 'drag',
    },
    rim: {
      takes: takes(3, () => rim(patch.rim.hertz, patch.rim.length, patch.rim.air, rng)),
      gain: -8,
      pan: -0.18,
      room: 0.3,
      timing: 'drag',
    },
    hat: { takes: takes(5, closed), gain: -15, pan: 0.22, room: 0.04, hand: 'hat', timing: 'loose' },
    open: {
      takes: takes(2, () => cymbal(patch.open, hat.edge * 0.9, hat.metal, hat.tune, rng)),
      gain: -17,
      pan: 0.2,
      room: 0.1,
      hand: 'hat',
      timing: 'loose',
    },
    ride: {
      takes: takes(3, () => cymbal(0.26, 5600, 0.4, hat.tune * 0.63, rng)),
      gain: -22,
      pan: -0.4,
      room: 0.12,
      timing: 'loose',
    },
    crash: {
      takes: takes(1, () => cymbal(0.75, 4200, 0.45, hat.tune * 0.8, rng)),
      gain: -15,
      pan: -0.25,
      room: 0.25,
      timing: 'tight',
    },
    shaker: { takes: takes(4, () => shaker(0.11, rng)), gain: -15, pan: -0.5, room: 0.08, timing: 'loose' },
    low: {
      takes: takes(2, () => skin(patch.skins.low, 0.3, 0.3, rng)),
      gain: -10,
      pan: 0.45,
      room: 0.22,
      timing: 'loose',
    },
    high: {
      takes: takes(2, () => skin(patch.skins.high, 0.2, 0.45, rng)),
      gain: -11,
      pan: -0.4,
      room: 0.22,
      timing: 'loose',
    },
    bell: { takes: takes(1, () => cowbell(patch.bell)), gain: -16, pan: 0.5, room: 0.15, timing: 'loose' },
  }
  for (const [name, db] of Object.entries(levels)) {
    const drum = kit[name]
    if (drum) drum.gain += db
  }
  return kit
}
