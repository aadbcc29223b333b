import { createMp3Encoder } from 'wasm-media-encoders'
import { RATE, type Stereo } from './stereo.ts'

const KBPS = 160
/** Samples in a frame of MPEG-1 layer III, and the samples of silence that LAME puts before the first. */
const FRAME = 1152
const DELAY = 576
/** The Info tag begins after the header and the side information of a stereo frame. */
const TAG = 36

/**
 * Encodes to MP3 (160 kbit/s, joint stereo) with an Info frame, which the encoder leaves out: it carries the number
 * of frames and the padding at both ends, so that players know the exact duration and seek by table.
 */
export async function encodeMp3(sound: Stereo): Promise<Uint8Array> {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate: RATE, channels: 2, bitrate: KBPS })
  const parts: Uint8Array[] = []
  const chunk = RATE * 10
  for (let at = 0; at < sound.left.length; at += chunk) {
    // The encoder owns what it returns, so each piece is copied.
    parts.push(encoder.encode([sound.left.subarray(at, at + chunk), sound.right.subarray(at, at + chunk)]).slice())
  }
  parts.push(encoder.finalize().slice())
  const music = Buffer.concat(parts)
  return Buffer.concat([infoFrame(music, sound.left.length), music])
}

/** The silent first frame after the layout of Xing and LAME ("Mp3 Info Tag rev 1"). */
function infoFrame(music: Buffer, samples: number): Buffer {
  const frames = countFrames(music)
  const info = Buffer.alloc(Math.floor((144_000 * KBPS) / RATE))
  music.copy(info, 0, 0, 4)
  info[2]! &= ~0x02
  info.write('Info', TAG, 'latin1')
  info.writeUInt32BE(0x0f, TAG + 4)
  info.writeUInt32BE(frames, TAG + 8)
  info.writeUInt32BE(music.length + info.length, TAG + 12)
  // A constant bit rate makes the table of contents a straight line.
  for (let i = 0; i < 100; i++) info[TAG + 16 + i] = Math.floor((i * 256) / 100)
  info.writeUInt32BE(57, TAG + 116)
  const lame = TAG + 120
  info.write('LAME3.100', lame, 'latin1')
  info[lame + 9] = 0x01
  info[lame + 10] = 175
  info[lame + 20] = KBPS
  const padding = Math.max(0, frames * FRAME - samples - DELAY)
  info.writeUIntBE(DELAY * 4096 + Math.min(padding, 4095), lame + 21, 3)
  info.writeUInt32BE(music.length + info.length, lame + 28)
  info.writeUInt16BE(crc16(music), lame + 32)
  info.writeUInt16BE(crc16(info.subarray(0, lame + 34)), lame + 34)
  return info
}

function countFrames(music: Buffer): number {
  let frames = 0
  for (let at = 0; at + 4 <= music.length; frames++) {
    const padded = (music[at + 2]! >> 1) & 1
    if (music[at] !== 0xff) throw new Error(`the MP3 stream lost its frames at byte ${at}`)
    at += Math.floor((144_000 * KBPS) / RATE) + padded
  }
  return frames
}

/** CRC-16 with the reflected polynomial 0xA001, as the tag asks. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  }
  return crc
}
