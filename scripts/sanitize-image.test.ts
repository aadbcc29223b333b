import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sanitizeImage } from '../worker/uploads/sanitize-image'

// Not beside the code: an independent library (sharp), which needs Node, writes the images and reads the results.

const WIDTH = 60
const HEIGHT = 40
/** Noise in all four channels, so that the encoders use every part of their format. */
const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => (i * 2654435761) >>> 24))
const newImage = () => sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })

/** The image with a location, an author, a color profile and XMP. */
const withMetadata = () =>
  newImage()
    .withExif({ IFD0: { Artist: 'Marigold Hale', Copyright: 'secret' }, IFD3: { GPSLatitude: '27/1 57/1 2/1' } })
    .withXmp(
      '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">Marigold</x:xmpmeta>',
    )
    .withIccProfile('p3')

const FORMATS: [string, string, () => Promise<Buffer>][] = [
  ['a JPEG', 'image/jpeg', () => withMetadata().flatten().jpeg().toBuffer()],
  ['a progressive JPEG', 'image/jpeg', () => withMetadata().flatten().jpeg({ progressive: true }).toBuffer()],
  ['a JPEG in CMYK', 'image/jpeg', () => withMetadata().flatten().toColourspace('cmyk').jpeg().toBuffer()],
  ['a PNG', 'image/png', () => withMetadata().png().toBuffer()],
  [
    'an interlaced PNG with a palette',
    'image/png',
    () => withMetadata().png({ palette: true, progressive: true }).toBuffer(),
  ],
  ['a WebP', 'image/webp', () => withMetadata().flatten().webp().toBuffer()],
  ['a transparent WebP', 'image/webp', () => withMetadata().webp().toBuffer()],
  ['a lossless WebP', 'image/webp', () => withMetadata().webp({ lossless: true }).toBuffer()],
]

test.each(FORMATS)('removes all metadata from %s', async (_, type, encode) => {
  const original = await encode()
  expect((await sharp(original).metadata()).exif).toBeDefined()
  const { bytes, width, height, contentType } = await sanitizeImage(new Uint8Array(original), type)
  expect([contentType, width, height]).toEqual([type, WIDTH, HEIGHT])
  const { exif, xmp, icc, orientation, format } = await sharp(bytes).metadata()
  expect({ exif, xmp, icc, orientation, format: `image/${format}` }).toEqual({ format: type })
  expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Marigold|secret|Exif|adobe:ns/)
  // Ignores the color profile, because the sanitized image has none.
  const decode = (file: Uint8Array) => sharp(file, { ignoreIcc: true }).ensureAlpha().raw().toBuffer()
  expect((await decode(bytes)).equals(await decode(original))).toBe(true)
})

test.each(FORMATS)('rejects %s that is truncated or followed by other data', async (_, type, encode) => {
  const original = new Uint8Array(await encode())
  const { bytes } = await sanitizeImage(original, type)
  expect(bytes.length).toBeGreaterThan(100)
  for (let end = 0; end < original.length; end += 7)
    await expect(sanitizeImage(original.slice(0, end), type)).rejects.toThrow()
  for (const extra of ['<script>alert(1)</script>', 'PK\x03\x04', '\0'])
    await expect(sanitizeImage(Buffer.concat([original, Buffer.from(extra)]), type)).rejects.toThrow(
      'more than a picture',
    )
})

test('sanitizes or rejects images with random corrupted bytes', async () => {
  for (const [, type, encode] of FORMATS) {
    const original = new Uint8Array(await encode())
    for (let i = 0; i < 400; i++) {
      const corrupted = original.slice()
      for (let k = 0; k < 3; k++)
        corrupted[(i * 7919 + k * 104729) % Math.min(corrupted.length, 1500)] = (i * 31 + k * 17) & 255
      try {
        await sanitizeImage(corrupted, type)
      } catch (error) {
        expect(error).toHaveProperty('code', 'bad_input')
      }
    }
  }
})

test('rejects an animated WebP', async () => {
  const frames = [await newImage().png().toBuffer(), await newImage().negate().png().toBuffer()]
  const animated = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  await expect(sanitizeImage(new Uint8Array(animated), 'image/webp')).rejects.toThrow('Animated images')
})
