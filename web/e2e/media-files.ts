import sharp from 'sharp'

type InputFile = { name: string; mimeType: string; buffer: Buffer }

export type PhotoSize = readonly [width: number, height: number]
export const PHONE_PHOTO: PhotoSize = [1800, 1350]
/** A size whose upload takes a fifth of the time. */
export const SMALL_PHOTO: PhotoSize = [720, 540]

/** A JPEG as from a phone, with rotation and location in its EXIF data. */
export async function photoFile([width, height]: PhotoSize): Promise<InputFile> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = pixel % width
    const y = Math.floor(pixel / width)
    pixels[pixel * 3] = 120 + (x * 120) / width
    pixels[pixel * 3 + 1] = 60 + (y * 120) / height
    pixels[pixel * 3 + 2] = 40 + ((x ^ y) & 63)
  }
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Orientation: '6', Artist: 'A photographer' }, IFD3: { GPSLatitude: '27/1 57/1 2/1' } })
    .jpeg({ quality: 90 })
    .toBuffer()
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
}

const SAMPLE_RATE_HZ = 8000

/** An 8-bit mono WAV file with a tone of 110 Hz. */
export function audioFile(seconds: number, name = 'take.wav'): InputFile {
  const buffer = Buffer.alloc(44 + seconds * SAMPLE_RATE_HZ)
  buffer.write('RIFF', 0)
  buffer.writeUInt32LE(buffer.length - 8, 4)
  buffer.write('WAVEfmt ', 8)
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(1, 20)
  buffer.writeUInt16LE(1, 22)
  buffer.writeUInt32LE(SAMPLE_RATE_HZ, 24)
  buffer.writeUInt32LE(SAMPLE_RATE_HZ, 28)
  buffer.writeUInt16LE(1, 32)
  buffer.writeUInt16LE(8, 34)
  buffer.write('data', 36)
  buffer.writeUInt32LE(seconds * SAMPLE_RATE_HZ, 40)
  for (let sample = 0; sample < seconds * SAMPLE_RATE_HZ; sample++)
    buffer[44 + sample] = 128 + Math.round(40 * Math.sin((sample * 110 * 2 * Math.PI) / SAMPLE_RATE_HZ))
  return { name, mimeType: 'audio/wav', buffer }
}
