import { AUDIO_TYPES, AUDIO_UPLOAD, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'

type Options = { onProgress: (progress: number) => void; signal: AbortSignal }

/** Returns the upload's id and the duration, null if this browser cannot play the file. */
export async function uploadAudio(file: File, options: Options): Promise<{ audio: string; seconds: number | null }> {
  assertAudioFile(file)
  const seconds = await durationOf(file)
  const { audio } = await sendFile(uploadsApi.audio, {}, file, options)
  return { audio, seconds }
}

/** Checks type and size before the upload. @throws TypeError with a message for the user. */
export function assertAudioFile(file: File): void {
  if (!(file.type in AUDIO_TYPES)) throw new TypeError('Please choose a recording: MP3, M4A, Ogg, WebM, WAV or FLAC.')
  if (file.size > AUDIO_UPLOAD.maxBytes) throw new TypeError('Please choose a recording of at most 50 MB.')
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
