import { expect, test } from 'vitest'
import { tracks } from '../artist.ts'
import { chordOf, hertzOf, pitchClass, voice } from './harmony.ts'
import { loudness } from './loudness.ts'
import { CEILING_DB, TARGET_LUFS } from './master.ts'
import { pumpOf } from './mixer.ts'
import { encodeMp3 } from './mp3.ts'
import { readGrid, readLine } from './notation.ts'
import { renderSong } from './render-song.ts'
import type { Song } from './score.ts'
import { songFor, songs } from './songs.ts'
import { fromDb, RATE, type Stereo } from './stereo.ts'
import { timelineOf } from './timeline.ts'

/** Four bars of a song's hook: enough to judge by, quick to render. */
function excerpt(slug: string, bars = 4): Song {
  const song = songFor(slug)
  const hook = song.sections.find(({ name }) => name === 'hook')
  if (!hook) throw new Error(`${slug} has no hook`)
  return { ...song, sections: [{ ...hook, bars, fill: undefined, impact: false, level: 0 }] }
}

const gilt = renderSong(excerpt('gilt-tide'))

function peak({ left, right }: Stereo): number {
  return Math.max(...[left, right].map((samples) => samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0)))
}

/** The power of a band at a place, by the Goertzel sum over `size` samples for each frequency. */
function power(samples: Float32Array, from: number, size: number, hertz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / RATE)
  let before = 0
  let last = 0
  for (let i = from; i < from + size; i++) {
    const now = (samples[i] ?? 0) + turn * last - before
    before = last
    last = now
  }
  return last * last + before * before - turn * last * before
}

test('the same song renders to the same samples', () => {
  const again = renderSong(excerpt('gilt-tide'))
  expect(Buffer.compare(Buffer.from(again.left.buffer), Buffer.from(gilt.left.buffer))).toBe(0)
  expect(Buffer.compare(Buffer.from(again.right.buffer), Buffer.from(gilt.right.buffer))).toBe(0)
})

test('no sample passes the ceiling and none is missing', () => {
  expect(peak(gilt)).toBeLessThanOrEqual(fromDb(CEILING_DB) + 1e-4)
  expect(gilt.left.every(Number.isFinite)).toBe(true)
})

test('a hook is as loud as a record and rests on zero', () => {
  expect(Math.abs(loudness(gilt) - TARGET_LUFS)).toBeLessThan(1)
  expect(Math.abs(gilt.left.reduce((sum, x) => sum + x, 0) / gilt.left.length)).toBeLessThan(0.001)
})

test('a song begins and ends in silence without a click', () => {
  for (const samples of [gilt.left, gilt.right]) {
    expect(Math.abs(samples[0]!)).toBeLessThan(0.001)
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(0.001)
    expect(Math.max(...samples.slice(-200).map(Math.abs))).toBeLessThan(0.01)
  }
})

test('the two sides differ, yet add up in mono', () => {
  let [middle, side] = [0, 0]
  for (let i = 0; i < gilt.left.length; i++) {
    middle += (gilt.left[i]! + gilt.right[i]!) ** 2
    side += (gilt.left[i]! - gilt.right[i]!) ** 2
  }
  expect(side / middle).toBeGreaterThan(0.01)
  expect(side / middle).toBeLessThan(0.5)
})

test('the kick lands on the first beat of every bar', () => {
  const song = excerpt('gilt-tide')
  const drums = renderSong({ ...song, sections: song.sections.map((section) => ({ ...section, play: {} })) })
  const bar = (240 / song.bpm) * RATE
  const size = Math.round(0.04 * RATE)
  const thump = (from: number) =>
    [50, 75, 100].reduce((sum, hz) => sum + power(drums.left, Math.round(from), size, hz), 0)
  for (let n = 1; n < 4; n++) expect(thump(n * bar)).toBeGreaterThan(5 * thump(n * bar - size - 200))
})

test('the bass steps aside while the kick strikes and is back before the next sixteenth', () => {
  const pump = pumpOf([0.5], RATE, 0.11)
  const pressed = (seconds: number) => pump[Math.round(seconds * RATE)] ?? 0
  expect(pressed(0.48)).toBe(0)
  expect(pressed(0.51)).toBe(1)
  expect(pressed(0.66)).toBeLessThan(0.1)
})

test('hats shine above six kilohertz when they strike', () => {
  const shine = (from: number) =>
    [7000, 8000, 9500, 11_000].reduce((sum, hz) => sum + power(gilt.left, from, 1024, hz), 0)
  const step = (15 / songFor('gilt-tide').bpm) * RATE
  const struck = [4, 6, 8, 10].map((s) => shine(Math.round(s * step)))
  const quiet = [4, 6, 8, 10].map((s) => shine(Math.round((s + 0.72) * step)))
  expect(Math.max(...quiet)).toBeLessThan(Math.max(...struck))
  expect(struck.reduce((a, b) => a + b)).toBeGreaterThan(3 * quiet.reduce((a, b) => a + b))
})

/** How a key's twelve notes weigh on the ear, from its tonic up (Krumhansl and Kessler). */
const PROFILES = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((x, y) => x + y, 0) / list.length
  const [ma, mb] = [mean(a), mean(b)]
  const dot = (p: readonly number[], mp: number, q: readonly number[], mq: number) =>
    p.reduce((sum, x, i) => sum + (x - mp) * ((q[i] ?? 0) - mq), 0)
  return dot(a, ma, b, mb) / Math.sqrt(dot(a, ma, a, ma) * dot(b, mb, b, mb))
}

/** The key, as `5 minor`, whose profile fits a chroma best. */
function bestKey(chroma: readonly number[]): string | undefined {
  const scores = Object.entries(PROFILES).flatMap(([mode, profile]) =>
    chroma.map((_, root) => ({
      key: `${root} ${mode}`,
      fit: correlation(
        chroma,
        chroma.map((_, i) => profile[(i - root + 12) % 12]!),
      ),
    })),
  )
  return scores.sort((a, b) => b.fit - a.fit)[0]?.key
}

test('the written notes of every song speak for its key among all twenty-four', () => {
  for (const song of songs) {
    const { changes } = timelineOf(song)
    const chroma = Array.from({ length: 12 }, () => 0)
    for (const { chord, steps } of changes) {
      for (const interval of chord.intervals) chroma[(chord.root + interval) % 12]! += steps
      chroma[chord.bass]! += steps
    }
    const [tonic = '', mode = ''] = song.key.split(' ')
    expect([song.slug, bestKey(chroma)]).toEqual([song.slug, `${pitchClass(tonic)} ${mode}`])
  }
})

test('the rendered hook of the single speaks for F minor among all twenty-four keys', () => {
  const chroma = Array.from({ length: 12 }, () => 0)
  const size = 8192
  for (let from = 0; from + size < gilt.left.length; from += size) {
    for (let midi = 52; midi < 84; midi++) chroma[midi % 12]! += power(gilt.left, from, size, hertzOf(midi)) ** 0.25
  }
  expect(bestKey(chroma)).toBe(`${pitchClass('F')} minor`)
})

test('every track has a song of 64 to 96 seconds in sections that differ', () => {
  expect(songs.map(({ slug }) => slug)).toEqual(tracks.map(({ slug }) => slug))
  for (const song of songs) {
    const { steps, timeOf } = timelineOf(song)
    const seconds = timeOf(steps) + 3
    expect(seconds).toBeGreaterThanOrEqual(song.slug === 'gilt-tide' ? 75 : 64)
    expect(seconds).toBeLessThanOrEqual(96)
    expect(new Set(song.sections.map(({ play }) => JSON.stringify(play))).size).toBeGreaterThanOrEqual(4)
  }
})

test('every written bar fills its bars exactly', () => {
  for (const song of songs) {
    for (const part of Object.values(song.parts)) {
      for (const clip of Object.values(part.clips)) {
        const steps = 'line' in clip ? readLine(clip.line).steps : 'chords' in clip ? readGrid(clip.chords).steps : 16
        expect([song.slug, JSON.stringify(clip), steps % 16]).toEqual([song.slug, JSON.stringify(clip), 0])
      }
    }
    for (const [name, groove] of Object.entries(song.grooves)) {
      for (const grid of Object.values(groove)) expect([name, readGrid(grid).steps % 16]).toEqual([name, 0])
    }
  }
})

test('a chord moves to the next by its nearest voices', () => {
  const first = voice(chordOf('Fm9'), [], 63)
  const second = voice(chordOf('Dbmaj7'), first, 63)
  const moved = second.map((note) => Math.min(...first.map((old) => Math.abs(old - note))))
  expect(Math.max(...moved)).toBeLessThanOrEqual(4)
  expect(second.map((note) => note % 12).toSorted((a, b) => a - b)).toEqual([0, 1, 5, 8])
})

test('an encoded song tells players its exact length', async () => {
  const bytes = Buffer.from(await encodeMp3(gilt))
  const tag = bytes.indexOf('Info')
  const frames = bytes.readUInt32BE(tag + 8)
  const ends = bytes.readUIntBE(tag + 120 + 21, 3)
  expect(bytes.readUInt32BE(tag + 12)).toBe(bytes.length)
  expect(frames * 1152 - (ends >> 12) - (ends & 4095)).toBe(gilt.left.length)
})
