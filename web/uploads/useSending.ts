import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/call'
import { sentence } from '../auth/sentence'

type Send<File, Sent> = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<Sent>

/** One file at a time: how far it is (null while none leaves), what went wrong, and the way to break it off. */
export function useSending<File, Sent>(
  send: Send<File, Sent>,
  { onSent, onBusy }: { onSent: (sent: Sent, file: File) => void; onBusy?: (busy: boolean) => void },
) {
  const [share, setShare] = useState<number | null>(null)
  const [problem, setProblem] = useState<string>()
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function start(file: File): Promise<void> {
    if (leaving.current) leaving.current.abort()
    else onBusy?.(true)
    const own = new AbortController()
    leaving.current = own
    setProblem(undefined)
    setShare(0)
    try {
      const sent = await send(file, { signal: own.signal, onProgress: setShare })
      if (!own.signal.aborted) onSent(sent, file)
    } catch (error) {
      if (!own.signal.aborted) setProblem(saidOf(error))
    } finally {
      if (leaving.current === own) {
        leaving.current = null
        setShare(null)
        onBusy?.(false)
      }
    }
  }
  return { share, problem, start, stop: () => leaving.current?.abort() }
}

function saidOf(error: unknown): string {
  if (error instanceof ApiError) return sentence(error)
  if (error instanceof DOMException) return 'This browser cannot read that picture. Please choose a JPEG, PNG or WebP.'
  if (error instanceof TypeError && error.message.startsWith('Please')) return error.message
  return 'The file did not arrive. Please try again.'
}
