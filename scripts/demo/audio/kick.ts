import { roundEdges } from './envelope.ts'
import { Biquad } from './filter.ts'
import { sine } from './osc.ts'
import { noise, type Rng } from './rng.ts'
import { RATE } from './stereo.ts'

/** `tune` is where the pitch comes to rest (hertz), `sweep` how far above it starts, `decay` seconds to silence. */
export interface KickPatch {
  tune: number
  sweep: number
  decay: number
  click: number
  drive: number
}

/** A kick drum: a sine falling in two stages (beater, then skin), a click of noise, and soft saturation. */
export function kick(patch: KickPatch, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round(patch.decay * 1.2 * RATE))
  const clickBand = new Biquad('bandpass', 3400, 0.8)
  let phase = 0
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    const hertz = patch.tune + patch.sweep * Math.exp(-t / 0.009) + patch.tune * 0.9 * Math.exp(-t / 0.045)
    phase += hertz / RATE
    const body = sine(phase) * Math.exp((-3.4 * t) / patch.decay) * Math.min(1, t / 0.0008)
    const click = clickBand.tick(noise(rng)) * Math.exp(-t / 0.0035) * patch.click
    out[i] = Math.tanh((body + click) * patch.drive) / Math.tanh(patch.drive)
  }
  roundEdges(out, 0.0005, 0.02)
  return out
}
