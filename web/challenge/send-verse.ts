import { challengeNowApi } from '../../worker/contract/challenge-now'
import { sendFile } from '../api/send-file'
import { mustBeRecording } from '../uploads/send-audio'

type Options = { onProgress: (share: number) => void; signal: AbortSignal }

/** Sends the recording of a verse as it is; returns the name by which the form hands it in. */
export async function sendVerse(file: File, options: Options): Promise<{ audio: string; seconds: null }> {
  mustBeRecording(file)
  const { recording } = await sendFile(challengeNowApi.sendRecording, {}, file, options)
  return { audio: recording, seconds: null }
}
