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

type Tone = { seconds: number; frequencyHz: number; amplitude: number; sampleRateHz: number; sampleBytes: 1 | 2 }

/** A sine wave as a mono WAV file, without silence. The amplitude is at most 1. */
export function sineWav({ seconds, frequencyHz, amplitude, sampleRateHz, sampleBytes }: Tone): Buffer {
  const samples = sampleRateHz * seconds
  const wav = Buffer.alloc(44 + samples * sampleBytes)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(sampleRateHz, 24)
  wav.writeUInt32LE(sampleRateHz * sampleBytes, 28)
  wav.writeUInt16LE(sampleBytes, 32)
  wav.writeUInt16LE(8 * sampleBytes, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * sampleBytes, 40)
  for (let sample = 0; sample < samples; sample++) {
    const value = amplitude * Math.sin((2 * Math.PI * frequencyHz * sample) / sampleRateHz)
    // Samples of one byte are unsigned.
    if (sampleBytes === 1) wav.writeUInt8(128 + Math.round(127 * value), 44 + sample)
    else wav.writeInt16LE(Math.round(32_767 * value), 44 + sample * 2)
  }
  return wav
}

/** A recording: an 8-bit WAV file with a low tone. */
export function audioFile(seconds: number, name = 'take.wav'): InputFile {
  const buffer = sineWav({ seconds, frequencyHz: 110, amplitude: 0.3, sampleRateHz: 8000, sampleBytes: 1 })
  return { name, mimeType: 'audio/wav', buffer }
}
