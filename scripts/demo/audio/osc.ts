/** Oscillators. A phase counts cycles, a step is the phase's advance a sample (hertz / rate). */

const SIZE = 4096
const TABLE = Float32Array.from({ length: SIZE + 1 }, (_, i) => Math.sin((2 * Math.PI * i) / SIZE))

/** Sine from an interpolated table: an order of magnitude below MP3's noise, and fast enough for FM. */
export function sine(phase: number): number {
  const place = (phase - Math.floor(phase)) * SIZE
  const index = place | 0
  const here = TABLE[index]!
  return here + (TABLE[index + 1]! - here) * (place - index)
}

/** The correction that rounds a jump of two, so that saws and pulses do not alias (PolyBLEP). */
function blep(phase: number, step: number): number {
  if (phase < step) {
    const x = phase / step
    return x + x - x * x - 1
  }
  if (phase > 1 - step) {
    const x = (phase - 1) / step
    return x * x + x + x + 1
  }
  return 0
}

/** Band-limited rising saw; `phase` must lie in [0, 1). */
export function saw(phase: number, step: number): number {
  return 2 * phase - 1 - blep(phase, step)
}

/** Band-limited pulse of a duty `width` in (0, 1); `phase` must lie in [0, 1). */
export function pulse(phase: number, step: number, width: number): number {
  const second = phase + 1 - width
  const wrapped = second >= 1 ? second - 1 : second
  return (phase < width ? 1 : -1) + blep(phase, step) - blep(wrapped, step) - (2 * width - 1)
}

/** Triangle; its harmonics fall fast enough to need no correction below 2 kHz. */
export function triangle(phase: number): number {
  const wrapped = phase - Math.floor(phase)
  return wrapped < 0.5 ? 4 * wrapped - 1 : 3 - 4 * wrapped
}
