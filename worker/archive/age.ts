import { createCipheriv, createHmac, hkdfSync, randomBytes, scryptSync } from 'node:crypto'
import { inChunks } from '../lib/chunks'

/**
 * Encryption in the age format (age-encryption.org/v1) with a passphrase. Its library encrypts a stream only from the
 * start; an archive needs any range of the encrypted file, so that an interrupted upload continues with the same bytes.
 */
const VERSION = 'age-encryption.org/v1'
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 16
/** log2 of scrypt's N: 32 MB of memory, which a worker can spare. */
const WORK_FACTOR = 15

/** `header` wraps the file's `key` with the passphrase and ends with the payload's nonce. */
export type AgeFile = { header: Uint8Array; key: Uint8Array }

/** Header and key of a new file that `passphrase` opens. */
export function startAgeFile(passphrase: string): AgeFile {
  const fileKey = randomBytes(16)
  const salt = randomBytes(16)
  const nonce = randomBytes(NONCE_BYTES)
  const options = { N: 2 ** WORK_FACTOR, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
  const wrapKey = scryptSync(passphrase, Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]), 32, options)
  const wrapped = encryptChunk(wrapKey, new Uint8Array(12), fileKey)
  const text = `${VERSION}\n-> scrypt ${base64(salt)} ${WORK_FACTOR}\n${base64(wrapped)}\n---`
  const mac = createHmac('sha256', deriveKey(fileKey, new Uint8Array(), 'header'))
    .update(text)
    .digest()
  return { header: Buffer.concat([Buffer.from(`${text} ${base64(mac)}\n`), nonce]), key: fileKey }
}

/** The file with a new nonce, for changed contents: a key and nonce must not encrypt two different contents. */
export function renewNonce({ header, key }: AgeFile): AgeFile {
  return { header: Buffer.concat([header.subarray(0, -NONCE_BYTES), randomBytes(NONCE_BYTES)]), key }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
const deriveKey = (fileKey: Uint8Array, salt: Uint8Array, info: string) =>
  new Uint8Array(hkdfSync('sha256', fileKey, salt, info, 32))

function encryptChunk(key: Uint8Array, nonce: Uint8Array, bytes: Uint8Array): Uint8Array {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES })
  const encrypted = cipher.update(bytes)
  return Buffer.concat([encrypted, cipher.final(), cipher.getAuthTag()])
}

/** Size of the encrypted file in bytes. */
export const ageFileBytes = ({ header }: AgeFile, plainBytes: number): number =>
  header.length + plainBytes + Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES)) * TAG_BYTES

/** The bytes [start, end) of the encrypted file. `readPlain` reads such ranges of the plain file. */
export async function* readAgeRange(
  { header, key }: AgeFile,
  plainBytes: number,
  readPlain: (start: number, end: number) => AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (start < header.length) yield header.subarray(start, Math.min(end, header.length))
  if (end <= header.length) return
  const payloadKey = deriveKey(key, header.subarray(-NONCE_BYTES), 'payload')
  const encryptedChunkBytes = CHUNK_BYTES + TAG_BYTES
  const lastChunk = Math.max(0, Math.ceil(plainBytes / CHUNK_BYTES) - 1)
  const payloadStart = Math.max(0, start - header.length)
  const payloadEnd = end - header.length
  let chunk = Math.floor(payloadStart / encryptedChunkBytes)
  const plainEnd = Math.min(plainBytes, Math.ceil(payloadEnd / encryptedChunkBytes) * CHUNK_BYTES)
  for await (const plain of inChunks(readPlain(chunk * CHUNK_BYTES, plainEnd), CHUNK_BYTES)) {
    const encrypted = encryptChunk(payloadKey, chunkNonce(chunk, chunk === lastChunk), plain)
    const chunkStart = chunk * encryptedChunkBytes
    yield encrypted.subarray(
      Math.max(0, payloadStart - chunkStart),
      Math.min(encrypted.length, payloadEnd - chunkStart),
    )
    chunk += 1
  }
}

/** An 11-byte counter, then 1 for the last chunk or 0 for others. */
function chunkNonce(chunk: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
