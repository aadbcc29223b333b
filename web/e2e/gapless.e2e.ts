import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { sineWav } from './media-files'
import { openPage } from './page'

const SAMPLE_RATE_HZ = 48_000
const TRACK_SECONDS = 4
const MAX_GAP_MS = 50

const toneFile = (frequencyHz: number) =>
  sineWav({ seconds: TRACK_SECONDS, frequencyHz, amplitude: 0.6, sampleRateHz: SAMPLE_RATE_HZ, sampleBytes: 2 })

/** The first seconds of a demo track, which contain no silence, as a valid MP3 file (96 kbit/s, 44.1 kHz). */
function demoExcerpt(name: string): Buffer {
  const file = readFileSync(`scripts/demo/media/audio/${name}.mp3`)
  const [sampleRate, frameSamples, frameBytes, framesOffset] = [44_100, 1152, 313, 44]
  const frames = Math.ceil((sampleRate * TRACK_SECONDS) / frameSamples)
  // Bit 1 of a frame's third byte says that the frame is one byte longer.
  let end = 0
  for (let frame = 0; frame <= frames; frame++) end += frameBytes + ((file.readUInt8(end + 2) >> 1) & 1)
  const mp3 = Buffer.from(file.subarray(0, end))
  // The first frame stores the number of frames, from which players compute the duration.
  mp3.writeUInt32BE(frames, framesOffset)
  mp3.writeUInt32BE(end, framesOffset + 4)
  return mp3
}

/** Responds to the track's audio requests, with ranges as media elements need them. */
async function serveAudio(page: Page, trackId: number, type: string, audio: Buffer): Promise<void> {
  await page.route(new RegExp(`/api/tracks/${trackId}/audio`), (route) => {
    const [, from = '0', to] = /^bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? []
    const end = Math.min(Number(to || audio.length - 1), audio.length - 1)
    const headers = {
      'content-type': type,
      'accept-ranges': 'bytes',
      'content-range': `bytes ${from}-${end}/${audio.length}`,
    }
    return route.fulfill({ status: 206, headers, body: audio.subarray(Number(from), end + 1) })
  })
}

/** Runs on the audio thread: counts the samples heard, and those of the longest silence between two sounds. */
const SILENCE_METER = `registerProcessor('silence-meter', class extends AudioWorkletProcessor {
  heard = 0
  silent = 0
  longest = 0
  process([input]) {
    const channel = input[0] ?? new Float32Array(128)
    for (const sample of channel) {
      if (Math.abs(sample) < 0.01) {
        if (this.heard > 0) this.silent += 1
        continue
      }
      this.heard += 1
      // A sine wave is near zero for a few samples only.
      if (this.silent > this.longest) this.longest = this.silent
      this.silent = 0
    }
    this.port.postMessage({ heard: this.heard, silent: this.silent, longest: this.longest })
    return true
  }
})`

/** Numbers of samples, as `SILENCE_METER` counts them. */
type Meter = { heard: number; silent: number; longest: number }

/** Adds `window.connectMeter`, which measures the mixed sound of all audio elements and sets `window.meter`. */
async function addSilenceMeter(page: Page): Promise<void> {
  await page.addInitScript((processor) => {
    const createElement = document.createElement.bind(document)
    const created: HTMLAudioElement[] = []
    document.createElement = ((name: string, options?: ElementCreationOptions) => {
      const element = createElement(name, options)
      if (element instanceof HTMLAudioElement) created.push(element)
      return element
    }) as typeof document.createElement
    Object.assign(window, {
      connectMeter: async (sampleRate: number) => {
        const context = new AudioContext({ sampleRate })
        await context.audioWorklet.addModule(URL.createObjectURL(new Blob([processor], { type: 'text/javascript' })))
        const meter = new AudioWorkletNode(context, 'silence-meter')
        meter.connect(context.destination)
        meter.port.onmessage = ({ data }) => Object.assign(window, { meter: data })
        const connect = (audio: HTMLAudioElement) => context.createMediaElementSource(audio).connect(meter)
        for (const audio of created) connect(audio)
        // Elements that are created later are connected at once.
        created.push = (audio) => {
          connect(audio)
          return 0
        }
        await context.resume()
      },
    })
  }, SILENCE_METER)
}

// The CSP would block the meter's script, which is a blob.
test.use({ bypassCSP: true })

const TRACK_PAIRS = [
  ['tones in WAV', 'audio/wav', () => [toneFile(440), toneFile(660)]],
  ['recordings in MP3', 'audio/mpeg', () => [demoExcerpt('gilt-tide'), demoExcerpt('seventh-avenue-slow')]],
] as const

for (const [pair, type, createFiles] of TRACK_PAIRS)
  test(`at most 50 ms of silence separate two ${pair}`, {
    tag: ['@desktop', '@long'],
  }, async ({ page }) => {
    await addSilenceMeter(page)
    for (const [index, audio] of createFiles().entries()) await serveAudio(page, index + 1, type, audio)
    await openPage(page)
    await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
    await page.evaluate(
      (rate) => (window as unknown as { connectMeter: (rate: number) => Promise<void> }).connectMeter(rate),
      SAMPLE_RATE_HZ,
    )
    const player = page.getByRole('region', { name: 'Player' })
    await expect(player.getByRole('link', { name: 'Skyway at Dusk' })).toBeVisible()
    await expect.poll(() => player.getByRole('slider', { name: 'Seek' }).inputValue().then(Number)).toBeGreaterThan(1)
    const meter = await page.evaluate(() => (window as unknown as { meter: Meter }).meter)
    expect(meter.heard, 'samples heard of both').toBeGreaterThan(SAMPLE_RATE_HZ * (TRACK_SECONDS - 1))
    expect((meter.longest / SAMPLE_RATE_HZ) * 1000, 'silence in milliseconds').toBeLessThanOrEqual(MAX_GAP_MS)
  })
