import { audioContentType, notAudioMessage, SIGNATURE_BYTES } from '../../worker/contract/file-signatures'
import { AUDIO_UPLOAD, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'
import { UploadError } from './upload-error'

type Options = { onProgress: (progress: number) => void; signal: AbortSignal }

/**
 * Uploads an audio file. `audio` is the value to save in a track; `seconds` is null if this browser cannot play it.
 * @throws ApiError; UploadError; the signal's reason if aborted.
 */
export async function uploadAudio(file: File, options: Options): Promise<{ audio: string; seconds: number | null }> {
  const content = await readAudioFile(file)
  const seconds = await durationOf(content)
  const { audio } = await sendFile(uploadsApi.audio, {}, content, options)
  return { audio, seconds }
}

/**
 * Returns the file if it is audio of at most 50 MB. Its content type comes from the first bytes, because operating
 * systems report different types for one format. @throws UploadError otherwise.
 */
export async function readAudioFile(file: File): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer())
  const contentType = audioContentType(head)
  if (!contentType) throw new UploadError(notAudioMessage(head))
  if (file.type.startsWith('video/')) throw new UploadError('This file is a video. Please choose a recording.')
  if (file.size > AUDIO_UPLOAD.maxBytes) throw new UploadError('Please choose a recording of at most 50 MB.')
  return file.slice(0, file.size, contentType)
}

async function durationOf(file: Blob): Promise<number | null> {
  const url = URL.createObjectURL(file)
  try {
    return await new Promise((resolve) => {
      const audio = new Audio()
      audio.onloadedmetadata = () => resolve(Number.isFinite(audio.duration) ? Math.round(audio.duration) : null)
      audio.onerror = () => resolve(null)
      audio.preload = 'metadata'
      audio.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
