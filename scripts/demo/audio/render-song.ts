import { pingPong, sway } from './delay.ts'
import { drum } from './drumming.ts'
import { master } from './master.ts'
import { colour, openDesk, pumpOf, ride, strip } from './mixer.ts'
import { perform } from './perform.ts'
import { reverb } from './reverb.ts'
import { rngFrom } from './rng.ts'
import type { Song } from './score.ts'
import { addInto, type Stereo, samplesIn, silence } from './stereo.ts'
import { vinyl } from './texture.ts'
import { timelineOf } from './timeline.ts'

/** What rings on after the last bar, in seconds. */
const TAIL = 3

/** Renders a song to the last sample: the players, the desk, the room, the master. Deterministic. */
export function renderSong(song: Song): Stereo {
  const timeline = timelineOf(song)
  const samples = samplesIn(timeline.timeOf(timeline.steps) + TAIL)
  const desk = openDesk(samples)
  const drums = drum(song, timeline, samples, rngFrom(`${song.slug} drums`))
  const slow = pumpOf(drums.kickTimes, samples, 0.32)
  const quick = pumpOf(drums.kickTimes, samples, 0.11)
  strip(desk, drums.kick, { gain: -4.5 }, slow)
  strip(desk, drums.rest, { gain: 3, duck: 0.12 }, slow)
  addInto(desk.room, drums.sent)
  const channel = silence(samples)
  for (const [name, part] of Object.entries(song.parts)) {
    const rng = rngFrom(`${song.slug} ${name}`)
    channel.left.fill(0)
    channel.right.fill(0)
    part.instrument(channel, perform(name, part, timeline, song.loose, rng), rng)
    strip(desk, channel, part.mix, part.mix.quick ? quick : slow)
  }
  colour(desk.dry, timeline)
  const echo = pingPong(desk.echo, (song.echo.steps * 15) / song.bpm, song.echo.feedback)
  addInto(desk.room, echo, 0.25)
  const room = reverb(desk.room, song.room)
  addInto(desk.dry, echo)
  addInto(desk.dry, room)
  if (song.tape > 0) sway(desk.dry, { seconds: 0.008, depth: song.tape, hertz: 0.43, mix: 1, spread: 0 })
  ride(desk.dry, song, timeline)
  vinyl(desk.dry, song.surface.crackle, song.surface.hiss, rngFrom(`${song.slug} surface`))
  master(desk.dry, TAIL)
  return desk.dry
}
