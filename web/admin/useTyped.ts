import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

const PAUSE_MS = 300

type Options = { restored?: object; onTyped?: (typed: object) => void }

/**
 * Shows restored values in a form, and passes on what is typed into it. Returns a number that changes when fields with a
 * text of their own, such as amounts, must start again.
 */
export function useTyped<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  { restored, onTyped }: Options,
): number {
  const [round, setRound] = useState(0)
  const latest = useRef(onTyped)
  latest.current = onTyped
  const { watch, getValues, reset } = form
  useEffect(() => {
    if (!restored) return
    reset(restored as In, { keepDefaultValues: true })
    setRound(1)
  }, [restored, reset])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { unsubscribe } = watch((_, { name }) => {
      // Without a name the form was reset.
      if (name === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => latest.current?.(getValues()), PAUSE_MS)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [watch, getValues])
  return round
}
