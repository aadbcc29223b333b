import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../api/call'

type Upload<File, Sent> = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<Sent>

/** One file at a time: how far it is (null while none leaves), what went wrong, and the way to break it off. */
export function useUpload<File, Sent>(
  send: Upload<File, Sent>,
  { onSent, onBusy }: { onSent: (sent: Sent, file: File) => void; onBusy?: (busy: boolean) => void },
) {
  const [share, setShare] = useState<number | null>(null)
  const [problem, setProblem] = useState<string>()
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function start(file: File): Promise<void> {
    if (controller.current) controller.current.abort()
    else onBusy?.(true)
    const current = new AbortController()
    controller.current = current
    setProblem(undefined)
    setShare(0)
    try {
      const sent = await send(file, { signal: current.signal, onProgress: setShare })
      if (!current.signal.aborted) onSent(sent, file)
    } catch (error) {
      if (!current.signal.aborted) setProblem(uploadErrorText(error))
    } finally {
      if (controller.current === current) {
        controller.current = null
        setShare(null)
        onBusy?.(false)
      }
    }
  }
  return { share, problem, start, stop: () => controller.current?.abort() }
}

function uploadErrorText(error: unknown): string {
  if (error instanceof ApiError) return errorMessage(error)
  if (error instanceof DOMException) return 'This browser cannot read that picture. Please choose a JPEG, PNG or WebP.'
  if (error instanceof TypeError && error.message.startsWith('Please')) return error.message
  return 'The file did not arrive. Please try again.'
}
