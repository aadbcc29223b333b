import { roundEdges } from './envelope.ts'
import { Biquad, Svf } from './filter.ts'
import { sine } from './osc.ts'
import { noise, type Rng } from './rng.ts'
import { RATE } from './stereo.ts'

/** `tone` is the shell's first mode (hertz), `wires` the share of noise, `decay` the wires' length (seconds). */
export interface SnarePatch {
  tone: number
  wires: number
  decay: number
  bright: number
}

/** A snare: two bending modes of the shell under a band of noise that darkens while it dies. */
export function snare(patch: SnarePatch, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round((patch.decay * 2 + 0.1) * RATE))
  const wires = new Svf()
  const rumble = new Biquad('highpass', 140)
  let first = 0
  let second = 0
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    const bend = 1 + 0.5 * Math.exp(-t / 0.012)
    first += (patch.tone * bend) / RATE
    second += (patch.tone * 1.72 * bend) / RATE
    const shell = sine(first) * Math.exp(-t / 0.06) + 0.55 * sine(second) * Math.exp(-t / 0.035)
    if (i % 32 === 0) wires.tune(patch.bright * (0.45 + 0.55 * Math.exp(-t / 0.07)), 0.6)
    wires.tick(noise(rng))
    const rattle = (wires.band * 1.1 + wires.high * 0.28) * Math.exp((-2.8 * t) / patch.decay)
    const stick = noise(rng) * Math.exp(-t / 0.0015) * 0.5
    out[i] = Math.tanh(rumble.tick(shell * (1 - patch.wires) + rattle * patch.wires + stick) * 1.6) * 0.8
  }
  roundEdges(out, 0.0003, 0.03)
  return out
}

/** Hands: four bursts a few milliseconds apart, then the room. */
export function clap(bright: number, tail: number, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round((tail * 2 + 0.06) * RATE))
  const low = new Biquad('bandpass', bright, 1.1)
  const high = new Biquad('bandpass', bright * 2.3, 0.9)
  const starts = [0, 0.0095, 0.0182, 0.0287]
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    let level = 0
    for (const start of starts) {
      if (t >= start) level = Math.max(level, Math.exp(-(t - start) / (start === 0.0287 ? tail * 0.42 : 0.0045)))
    }
    const grain = noise(rng)
    out[i] = (low.tick(grain) * 1.5 + high.tick(grain) * 0.8) * level
  }
  roundEdges(out, 0.0003, 0.03)
  return out
}

/** A finger snap or a stick on the rim: two short resonances, `hertz` the lower. */
export function rim(hertz: number, length: number, air: number, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round((length * 6 + 0.05) * RATE))
  const body = new Biquad('bandpass', hertz, 9)
  const edge = new Biquad('bandpass', hertz * 2.35, 7)
  const breath = new Biquad('highpass', 3500)
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    const strike = noise(rng) * Math.exp(-t / 0.0022) * 3
    const hiss = breath.tick(noise(rng)) * Math.exp(-t / length) * air
    out[i] = body.tick(strike) * 2.2 + edge.tick(strike) * 1.4 + hiss
  }
  roundEdges(out, 0.0003, 0.02)
  return out
}
