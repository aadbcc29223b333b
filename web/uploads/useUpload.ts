import { useEffect, useRef, useState } from 'react'
import { uploadErrorText } from './upload-error'

type UploadFile<Input, Result> = (
  input: Input,
  options: { onProgress: (progress: number) => void; signal: AbortSignal },
) => Promise<Result>

/** Uploads one input, such as a file, at a time. `progress` is from 0 to 1, null while idle. */
export function useUpload<Input, Result>(
  send: UploadFile<Input, Result>,
  {
    onUploaded,
    onUploadingChange,
  }: { onUploaded: (result: Result, input: Input) => void; onUploadingChange?: (isUploading: boolean) => void },
) {
  const [progress, setProgress] = useState<number | null>(null)
  const [uploadError, setUploadError] = useState<string>()
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function start(input: Input): Promise<void> {
    if (controller.current) controller.current.abort()
    else onUploadingChange?.(true)
    const current = new AbortController()
    controller.current = current
    setUploadError(undefined)
    setProgress(0)
    try {
      const result = await send(input, { signal: current.signal, onProgress: setProgress })
      if (!current.signal.aborted) onUploaded(result, input)
    } catch (error) {
      if (!current.signal.aborted) setUploadError(uploadErrorText(error, 'The upload failed. Please try again.'))
    } finally {
      if (controller.current === current) {
        controller.current = null
        setProgress(null)
        onUploadingChange?.(false)
      }
    }
  }
  return { progress, uploadError, start, stop: () => controller.current?.abort() }
}
