import { buildKit } from './kit.ts'
import { readGrid, STEPS } from './notation.ts'
import { boom } from './percussion.ts'
import { lastStep } from './perform.ts'
import { between, type Rng } from './rng.ts'
import type { Song } from './score.ts'
import { addMono, fromDb, type Stereo, samplesIn, silence } from './stereo.ts'
import { riser, wash } from './texture.ts'
import type { Timeline } from './timeline.ts'

/** The drums as buses: `kick` dry and alone, `rest` of the kit, what is `sent` to the room, when the kicks fell. */
export interface Drumming {
  kick: Stereo
  rest: Stereo
  sent: Stereo
  kickTimes: number[]
}

interface Hit {
  drum: string
  time: number
  velocity: number
}

export function drum(song: Song, timeline: Timeline, samples: number, rng: Rng): Drumming {
  const kit = buildKit(song.kit, rng)
  const hits = hitsOf(song, timeline).sort((a, b) => a.time - b.time)
  const buses = { kick: silence(samples), rest: silence(samples), sent: silence(samples) }
  const kickTimes: number[] = []
  const turns = new Map<string, number>()
  for (const [index, hit] of hits.entries()) {
    const player = kit[hit.drum]
    if (!player) throw new Error(`no drum is called "${hit.drum}"`)
    const turn = turns.get(hit.drum) ?? 0
    turns.set(hit.drum, turn + 1)
    const take = player.takes[turn % player.takes.length]!
    const wander = player.timing === 'tight' ? 0 : between(rng, -song.loose, song.loose)
    const time = Math.max(0, hit.time + wander + (player.timing === 'drag' ? song.drag : 0))
    const gain = fromDb(player.gain) * hit.velocity ** 1.2 * (player.timing === 'tight' ? 1 : between(rng, 0.86, 1))
    const choked = player.hand ? choke(take, hits, index, kit) : take
    const bus = hit.drum === 'kick' ? buses.kick : buses.rest
    addMono(bus, choked, gain, player.pan, samplesIn(time))
    addMono(buses.sent, choked, gain * player.room, -player.pan * 0.6, samplesIn(time))
    if (hit.drum === 'kick') kickTimes.push(time)
  }
  transitions(song, timeline, buses, rng)
  return { ...buses, kickTimes }
}

/** A hat that the same hand closes a moment later ends there, within five milliseconds. */
function choke(
  take: Float32Array,
  hits: readonly Hit[],
  index: number,
  kit: Record<string, { hand?: string }>,
): Float32Array {
  const here = hits[index]!
  const next = hits.find((hit, i) => i > index && hit.time > here.time && kit[hit.drum]?.hand === 'hat')
  const end = next ? samplesIn(next.time - here.time) : take.length
  if (end >= take.length) return take
  const fade = samplesIn(0.005)
  return take.slice(0, end + fade).map((sample, i) => (i < end ? sample : sample * (1 - (i - end) / fade)))
}

function hitsOf(song: Song, timeline: Timeline): Hit[] {
  const hits: Hit[] = []
  for (const placed of timeline.placed) {
    const { section } = placed
    const last = placed.start + placed.steps - STEPS
    const pieces = [
      { name: section.groove, from: placed.start, to: section.fill ? last : placed.start + placed.steps },
      { name: section.fill, from: last, to: placed.start + placed.steps },
    ]
    for (const { name, from, to } of pieces) {
      if (name === undefined) continue
      const groove = song.grooves[name]
      if (!groove) throw new Error(`${song.slug} has no groove "${name}"`)
      for (const [instrument, text] of Object.entries(groove)) {
        const grid = readGrid(text)
        for (let origin = from; origin < to; origin += grid.steps) {
          for (const { step, velocity } of grid.strokes) {
            const at = origin + step
            if (at < to && at < lastStep(section, placed))
              hits.push({ drum: instrument, time: timeline.timeOf(at), velocity })
          }
        }
      }
    }
    if (section.impact) hits.push({ drum: 'crash', time: timeline.timeOf(placed.start), velocity: 0.9 })
  }
  return hits
}

/** What carries one section into the next: rising noise before, a boom and a wave after. */
function transitions(song: Song, timeline: Timeline, buses: { rest: Stereo; sent: Stereo }, rng: Rng): void {
  const low = boom(song.kit.kick.tune * 0.9)
  for (const { section, start, steps } of timeline.placed) {
    const from = timeline.timeOf(start)
    const to = timeline.timeOf(start + steps)
    if (section.impact) {
      addMono(buses.rest, low, 0.22, 0, samplesIn(from))
      wash(buses.rest, from, 2.4, rng)
      wash(buses.sent, from, 1.6, rng)
    }
    if (section.riser) riser(buses.rest, to, section.riser * (240 / song.bpm), rng)
  }
}
