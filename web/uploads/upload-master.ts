import { masterContentType, notAMasterMessage, SIGNATURE_BYTES } from '../../worker/contract/file-signatures'
import {
  MASTER_PART_BYTES,
  MAX_MASTER_BYTES,
  masterPartBytes,
  masterPartCount,
  mastersApi,
} from '../../worker/contract/masters'
import { ApiError, call } from '../api/call'
import { sendFile } from '../api/send-file'
import { UploadError } from './upload-error'

const CONCURRENT_PARTS = 2
/** Maximum attempts of a request. Failures while offline do not count. */
const MAX_ATTEMPTS = 6
const FIRST_RETRY_DELAY_MS = 1000
const MAX_RETRY_DELAY_MS = 15_000
const FINGERPRINT_BYTES = 64 * 1024

type Options = {
  signal: AbortSignal
  onStarted: (id: string) => void
  /** From 0 to 1. */
  onProgress: (progress: number) => void
  /** Called when a failed request waits to be repeated. The next progress ends the wait. */
  onWaiting: () => void
}

/**
 * Uploads the parts of a FLAC or WAV file that the server does not have.
 * @throws ApiError; UploadError; the signal's reason if aborted.
 */
export async function uploadMaster(trackId: string, file: File, options: Options): Promise<void> {
  const { signal, onProgress } = options
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer())
  const contentType = masterContentType(head)
  if (!contentType) throw new UploadError(notAMasterMessage(head))
  if (file.size > MAX_MASTER_BYTES) throw new UploadError('A master can be up to 2 GB. Please choose a smaller file.')
  const fingerprint = await fingerprintOf(file)
  const body = { fileName: file.name, sizeBytes: file.size, contentType, fingerprint }
  const { id, receivedParts } = await retry(options, () => call(mastersApi.start, { id: trackId, body }))
  options.onStarted(id)
  signal.throwIfAborted()
  const sentBytes = new Map(receivedParts.map((part) => [part, masterPartBytes(file.size, part)]))
  const report = () => onProgress([...sentBytes.values()].reduce((sum, bytes) => sum + bytes, 0) / file.size)
  report()
  const missingParts = Array.from({ length: masterPartCount(file.size) }, (_, index) => index + 1).filter(
    (part) => !sentBytes.has(part),
  )
  const sendMissingParts = async (): Promise<void> => {
    for (let part = missingParts.shift(); part !== undefined; part = missingParts.shift()) {
      const partNumber = part
      const start = (partNumber - 1) * MASTER_PART_BYTES
      const bytes = file.slice(start, start + MASTER_PART_BYTES, 'application/octet-stream')
      await retry(options, () =>
        sendFile(mastersApi.part, { id, part: String(partNumber) }, bytes, {
          signal,
          onProgress: (fraction) => {
            sentBytes.set(partNumber, fraction * bytes.size)
            report()
          },
        }),
      )
      sentBytes.set(partNumber, bytes.size)
      report()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_PARTS }, sendMissingParts))
  await retry(options, () => call(mastersApi.complete, { id }))
}

/** Identifies a file, so that its upload continues when the user chooses it again. */
async function fingerprintOf(file: File): Promise<string> {
  const description = new TextEncoder().encode(`${file.name}\n${file.size}\n${file.lastModified}\n`)
  const start = await file.slice(0, FINGERPRINT_BYTES).arrayBuffer()
  const digest = await crypto.subtle.digest('SHA-256', await new Blob([description, start]).arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Repeats after network errors, 429 and 5xx. @throws UploadError after MAX_ATTEMPTS; other errors unchanged */
async function retry<Result>({ signal, onWaiting }: Options, attempt: () => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error)) throw error
      if (navigator.onLine) failures += 1
      if (failures >= MAX_ATTEMPTS)
        throw new UploadError('The upload stopped. Choose the same file again to continue where it left off.')
      onWaiting()
      await waitForRetry(Math.min(FIRST_RETRY_DELAY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_DELAY_MS), signal)
    }
  }
}

/** `call` and `sendFile` throw a TypeError when the network fails. */
const isTemporary = (error: unknown) =>
  error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof TypeError

/** Resolves after `ms`, or earlier when the device is online again. @throws the signal's reason if aborted */
function waitForRetry(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listeners = new AbortController()
    const end = (callback: () => void) => () => {
      clearTimeout(timer)
      listeners.abort()
      callback()
    }
    const timer = setTimeout(end(resolve), ms)
    addEventListener('online', end(resolve), { signal: listeners.signal })
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      { signal: listeners.signal },
    )
  })
}
