import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { GLOW_WIDTH, HERO_IMAGE, imageColor, SHOW_IMAGE } from '../worker/contract/images'
import catalog from './demo/data/catalog.json' with { type: 'json' }
import { audioFiles, findImage, images, masterFiles } from './demo/media'
import { demoAudioFiles, demoMasterFiles } from './demo/upload-media'
import { defaultImages } from './site/default-images'
import { bundledImageFiles, bundledImageUrl } from './tools/bundled-images'

const bundledImages = [...images.values(), ...defaultImages]

test('every file of the manifest exists', () => {
  const files = [...demoAudioFiles(), ...demoMasterFiles(), ...bundledImages.flatMap(bundledImageFiles)]
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ file }) => !existsSync(file))).toEqual([])
})

test('image files have the widths in their names', async () => {
  for (const image of bundledImages)
    for (const { key, file } of bundledImageFiles(image)) {
      const { width } = await sharp(file).metadata()
      const expected = /\.(\d{2,4})\.\w+$/.exec(key)?.[1] ?? images.get(image.name)?.width ?? width
      expect([file, width]).toEqual([file, Number(expected)])
    }
})

test('image URLs contain the average color', async () => {
  for (const image of bundledImages) {
    const { channels } = await sharp(bundledImageFiles(image)[0].file).stats()
    const color = channels.slice(0, 3).map(({ mean }) => Math.round(mean / 17).toString(16))
    expect([image.name, imageColor(bundledImageUrl(image))]).toEqual([image.name, color.join('')])
  }
})

test('images have the sizes that pages request', () => {
  const { landscape, portrait } = HERO_IMAGE
  const requested = { hero: landscape, 'hero-portrait': portrait, 'venue-1': SHOW_IMAGE, 'venue-5': SHOW_IMAGE }
  for (const [name, { width, height, widths }] of Object.entries(requested))
    expect(findImage(name)).toMatchObject({ width, height, widths: expect.arrayContaining([...widths]) })
})

test('covers and products have a variant for the blurred glow', () => {
  const names = [...images.keys()].filter((name) => name.startsWith('cover-'))
  names.push(...catalog.products.flatMap((product) => product.images))
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !findImage(name).widths.includes(GLOW_WIDTH))).toEqual([])
})

test('audio files have the durations of the manifest', () => {
  for (const [slug, { seconds }] of audioFiles) {
    const bytes = readFileSync(`scripts/demo/media/audio/${slug}.mp3`)
    const infoOffset = bytes.indexOf('Info')
    // The Info header holds the numbers of frames, bytes, and samples added at the start and the end (12 bits each).
    const [frames, delayAndPadding] = [bytes.readUInt32BE(infoOffset + 8), bytes.readUIntBE(infoOffset + 141, 3)]
    const samples = frames * 1152 - (delayAndPadding >> 12) - (delayAndPadding & 4095)
    expect([slug, Math.round(samples / 44_100), bytes.readUInt32BE(infoOffset + 12)]).toEqual([
      slug,
      seconds,
      bytes.length,
    ])
    expect(seconds).toBeGreaterThanOrEqual(60)
  }
})

test('masters have the sizes and durations of the manifest', () => {
  for (const [slug, { bytes }] of masterFiles) {
    const file = readFileSync(`scripts/demo/media/masters/${slug}.flac`)
    // STREAMINFO holds the sample rate in 20 bits, other values in 8, and the number of samples in 36.
    const rate = file.readUIntBE(18, 3) >> 4
    const samples = (file.readUInt8(21) & 15) * 2 ** 32 + file.readUInt32BE(22)
    expect([slug, file.subarray(0, 4).toString(), file.length]).toEqual([slug, 'fLaC', bytes])
    expect(Math.round(samples / rate)).toBe(audioFiles.get(slug)?.seconds)
  }
})

test('a new site has every width of the hero image', () => {
  const widthsOf = (name: string) => defaultImages.find((image) => image.name === name)?.widths
  expect(widthsOf('hero')).toEqual(expect.arrayContaining([...HERO_IMAGE.landscape.widths]))
  expect(widthsOf('hero-portrait')).toEqual(expect.arrayContaining([...HERO_IMAGE.portrait.widths]))
})

test('media files are under 21 MB together', () => {
  const files = globSync(['scripts/demo/media/**/*.*', 'scripts/site/media/*'])
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(21_000_000)
})
