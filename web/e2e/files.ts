import sharp from 'sharp'

type File = { name: string; mimeType: string; buffer: Buffer }

/** A phone's photo: large, rotated by EXIF, with a location. */
export async function photoFile(name = 'photo.jpg'): Promise<File> {
  const [width, height] = [2400, 1800]
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    pixels.set([120 + (x * 120) / width, 60 + (y * 120) / height, 40 + ((x ^ y) & 63)], i * 3)
  }
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Orientation: '6', Artist: 'Somebody' }, IFD3: { GPSLatitude: '27/1 57/1 2/1' } })
    .jpeg({ quality: 90 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

/** A low tone as WAV. */
export function audioFile(seconds: number, name = 'take.wav'): File {
  const rate = 8000
  const buffer = Buffer.alloc(44 + seconds * rate)
  buffer.write('RIFF', 0)
  buffer.writeUInt32LE(buffer.length - 8, 4)
  buffer.write('WAVEfmt ', 8)
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(1, 20)
  buffer.writeUInt16LE(1, 22)
  buffer.writeUInt32LE(rate, 24)
  buffer.writeUInt32LE(rate, 28)
  buffer.writeUInt16LE(1, 32)
  buffer.writeUInt16LE(8, 34)
  buffer.write('data', 36)
  buffer.writeUInt32LE(seconds * rate, 40)
  for (let i = 0; i < seconds * rate; i++)
    buffer[44 + i] = 128 + Math.round(40 * Math.sin((i * 110 * 2 * Math.PI) / rate))
  return { name, mimeType: 'audio/wav', buffer }
}
