import { challengeApi } from '../../worker/contract/challenge'
import { sendFile } from '../api/send-file'
import { assertAudioFile } from '../uploads/upload-audio'

type Options = { onProgress: (share: number) => void; signal: AbortSignal }

/** Sends the recording of a verse as it is; returns the name by which the form hands it in. */
export async function uploadVerse(file: File, options: Options): Promise<{ audio: string; seconds: null }> {
  assertAudioFile(file)
  const { recording } = await sendFile(challengeApi.uploadRecording, {}, file, options)
  return { audio: recording, seconds: null }
}
