import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sanitizeImage } from '../../worker/uploads/sanitize-image'

// Files written by an independent library (sharp) and read back by it.

const WIDTH = 60
const HEIGHT = 40
/** Half-transparent noise exercises every part of the format. */
const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => (i * 2654435761) >>> 24))
const source = () => sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })

/** With location, author, colour profile and comments. */
const loaded = () =>
  source()
    .withExif({ IFD0: { Artist: 'Marigold Hale', Copyright: 'secret' }, IFD3: { GPSLatitude: '27/1 57/1 2/1' } })
    .withXmp(
      '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">Marigold</x:xmpmeta>',
    )
    .withIccProfile('p3')

const KINDS: [string, string, () => Promise<Buffer>][] = [
  ['a JPEG', 'image/jpeg', () => loaded().flatten().jpeg().toBuffer()],
  ['a progressive JPEG', 'image/jpeg', () => loaded().flatten().jpeg({ progressive: true }).toBuffer()],
  ['a JPEG in CMYK', 'image/jpeg', () => loaded().flatten().toColourspace('cmyk').jpeg().toBuffer()],
  ['a PNG', 'image/png', () => loaded().png().toBuffer()],
  [
    'an interlaced PNG of few colours',
    'image/png',
    () => loaded().png({ palette: true, progressive: true }).toBuffer(),
  ],
  ['a WebP', 'image/webp', () => loaded().flatten().webp().toBuffer()],
  ['a see-through WebP', 'image/webp', () => loaded().webp().toBuffer()],
  ['a lossless WebP', 'image/webp', () => loaded().webp({ lossless: true }).toBuffer()],
]

test.each(KINDS)('%s keeps only its pixels', async (_, type, make) => {
  const sent = await make()
  expect((await sharp(sent).metadata()).exif).toBeDefined()
  const { bytes, width, height, contentType } = sanitizeImage(new Uint8Array(sent), type)
  expect([contentType, width, height]).toEqual([type, WIDTH, HEIGHT])
  const { exif, xmp, icc, orientation, format } = await sharp(bytes).metadata()
  expect({ exif, xmp, icc, orientation, format: `image/${format}` }).toEqual({ format: type })
  expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Marigold|secret|Exif|adobe:ns/)
  // Raw pixels, ignoring colour profiles.
  const raw = (file: Uint8Array) => sharp(file, { ignoreIcc: true }).ensureAlpha().raw().toBuffer()
  expect((await raw(bytes)).equals(await raw(sent))).toBe(true)
})

test.each(KINDS)(
  '%s that ends anywhere before its end is refused, and so is one with more behind',
  async (_, type, make) => {
    const sent = new Uint8Array(await make())
    const { length } = sanitizeImage(sent, type).bytes
    expect(length).toBeGreaterThan(100)
    for (let end = 0; end < sent.length; end += 7) expect(() => sanitizeImage(sent.slice(0, end), type)).toThrow()
    for (const more of ['<script>alert(1)</script>', 'PK\x03\x04', '\0'])
      expect(() => sanitizeImage(Buffer.concat([sent, Buffer.from(more)]), type)).toThrow('more than a picture')
  },
)

test('arbitrary bytes pass or are rejected with a message', async () => {
  for (const [, type, make] of KINDS) {
    const sent = new Uint8Array(await make())
    for (let i = 0; i < 400; i++) {
      const bent = sent.slice()
      for (let k = 0; k < 3; k++) bent[(i * 7919 + k * 104729) % Math.min(bent.length, 1500)] = (i * 31 + k * 17) & 255
      try {
        sanitizeImage(bent, type)
      } catch (error) {
        expect(error).toHaveProperty('code', 'bad_input')
      }
    }
  }
})

test('rejects an animated WebP', async () => {
  const frames = [await source().png().toBuffer(), await source().negate().png().toBuffer()]
  const moving = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect(() => sanitizeImage(new Uint8Array(moving), 'image/webp')).toThrow('moving picture')
})
