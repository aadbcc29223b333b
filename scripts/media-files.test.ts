import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { HERO_IMAGE, SHOW_IMAGE } from '../worker/contract/images'
import { audioFiles, findImage, images } from './demo/media'
import { demoFiles } from './demo/upload-media'
import { readDefaultImages } from './site/default-images'

const IMAGES = 'scripts/demo/media/images'

test('every file of the manifest exists', () => {
  expect(demoFiles().length).toBeGreaterThan(100)
  expect(demoFiles().filter(({ file }) => !existsSync(file))).toEqual([])
})

test('images have the sizes of the manifest, in each format', async () => {
  for (const [name, { format, width, height, widths }] of images)
    for (const extension of format === 'webp' ? ['webp', 'avif'] : [format]) {
      const full = await sharp(`${IMAGES}/${name}.${extension}`).metadata()
      expect([name, full.width, full.height]).toEqual([name, width, height])
      for (const smaller of widths) {
        const file = `${IMAGES}/${name}@${smaller}.${extension}`
        expect([file, (await sharp(file).metadata()).width]).toEqual([file, smaller])
      }
    }
})

test('images have the sizes that pages request', () => {
  const { landscape, portrait } = HERO_IMAGE
  const requested = { hero: landscape, 'hero-portrait': portrait, 'venue-1': SHOW_IMAGE, 'venue-5': SHOW_IMAGE }
  for (const [name, { width, height, widths }] of Object.entries(requested))
    expect(findImage(name)).toMatchObject({ width, height, widths })
})

test('audio files state the durations of the manifest', () => {
  for (const [slug, { seconds }] of audioFiles) {
    const bytes = readFileSync(`scripts/demo/media/audio/${slug}.mp3`)
    const info = bytes.indexOf('Info')
    // The Info header: frames, bytes, and the samples added at the start and at the end (12 bits each).
    const [frames, delayAndPadding] = [bytes.readUInt32BE(info + 8), bytes.readUIntBE(info + 141, 3)]
    const samples = frames * 1152 - (delayAndPadding >> 12) - (delayAndPadding & 4095)
    expect([slug, Math.round(samples / 44_100), bytes.readUInt32BE(info + 12)]).toEqual([slug, seconds, bytes.length])
    expect(seconds).toBeGreaterThanOrEqual(60)
  }
})

test('a new site has every width of the hero image', async () => {
  const keys = (await readDefaultImages()).map(({ key }) => key)
  expect(keys).toContain('house/icon-maskable.png')
  for (const width of HERO_IMAGE.landscape.widths) expect(keys).toContain(`house/hero.webp@${width}`)
  for (const width of HERO_IMAGE.portrait.widths) expect(keys).toContain(`house/hero-portrait.webp@${width}`)
})

test('media stays under 14 MB', () => {
  const files = globSync(['scripts/demo/media/**/*.*', 'scripts/site/media/*'])
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(14_000_000)
})
