import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

const DEBOUNCE_MS = 300

type Options = { restored?: object; onTyped?: (typed: object) => void }

/**
 * Fills a form with `restored` values and reports typed values to `onTyped`, debounced. Returns a key that changes when
 * fields that hold their own text, such as amounts, must be remounted.
 */
export function useFormDraft<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  { restored, onTyped }: Options,
): number {
  const [remountKey, setRemountKey] = useState(0)
  const latest = useRef(onTyped)
  latest.current = onTyped
  const { watch, getValues, reset } = form
  useEffect(() => {
    if (!restored) return
    reset(restored as In, { keepDefaultValues: true })
    setRemountKey(1)
  }, [restored, reset])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { unsubscribe } = watch((_, { name }) => {
      // Without a name, the event is a reset of the form.
      if (name === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => latest.current?.(getValues()), DEBOUNCE_MS)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [watch, getValues])
  return remountKey
}
