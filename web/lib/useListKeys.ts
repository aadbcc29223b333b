import { useRef } from 'react'

/** React keys for rows without an id, which are added at the end. Call `removeKey` when a row is removed. */
export function useListKeys(length: number): { keys: readonly number[]; removeKey: (index: number) => void } {
  const keys = useRef<number[]>([])
  const nextKey = useRef(0)
  while (keys.current.length < length) keys.current.push(nextKey.current++)
  keys.current.length = length
  return { keys: keys.current, removeKey: (index) => void keys.current.splice(index, 1) }
}
