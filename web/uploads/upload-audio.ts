import { AUDIO_TYPES, AUDIO_UPLOAD, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'

type Options = { onProgress: (share: number) => void; signal: AbortSignal }

/** Sends a recording as it is; returns what a form saves, and its length where this browser can tell. */
export async function uploadAudio(file: File, options: Options): Promise<{ audio: string; seconds: number | null }> {
  assertAudioFile(file)
  const seconds = await durationOf(file)
  const { audio } = await sendFile(uploadsApi.audio, {}, file, options)
  return { audio, seconds }
}

/** Says at once what the server would say after all of it has left. @throws TypeError with a sentence. */
export function assertAudioFile(file: File): void {
  if (!(file.type in AUDIO_TYPES)) throw new TypeError('Please choose a recording: MP3, M4A, Ogg, WebM, WAV or FLAC.')
  if (file.size > AUDIO_UPLOAD.maxBytes) throw new TypeError('Please choose a recording of at most 50 MB.')
}

/** Whole seconds; null for what this browser does not play. */
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
