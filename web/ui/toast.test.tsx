import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismiss, reduceToasts, TOAST_LIMIT, TOAST_REMOVE_DELAY, toast, useToasts } from './toast'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const standing = { id: '1', title: 'First', open: true }

test('shows one toast and removes it after 1000000 ms', () => {
  expect([TOAST_LIMIT, TOAST_REMOVE_DELAY]).toEqual([1, 1_000_000])
})

test('replaces the current toast', () => {
  const next = { id: '2', title: 'Second', open: true }
  expect(reduceToasts([standing], { kind: 'add', toast: next })).toEqual([next])
})

test('updates only the given fields', () => {
  expect(reduceToasts([standing], { kind: 'update', toast: { id: '1', text: 'More' } })).toEqual([
    { ...standing, text: 'More' },
  ])
  expect(reduceToasts([standing], { kind: 'update', toast: { id: '9', text: 'More' } })).toEqual([standing])
})

test('closes a dismissed toast and drops a removed one', () => {
  expect(reduceToasts([standing], { kind: 'dismiss', id: '1' })).toEqual([{ ...standing, open: false }])
  expect(reduceToasts([standing], { kind: 'remove', id: '1' })).toEqual([])
})

test('keeps a dismissed toast for exactly 1000000 ms', () => {
  const { result } = renderHook(() => useToasts())
  act(() => dismiss(toast({ title: 'Hello' }).id))
  expect(result.current.map(({ open }) => open)).toEqual([false])
  act(() => vi.advanceTimersByTime(999_999))
  expect(result.current).toHaveLength(1)
  act(() => vi.advanceTimersByTime(1))
  expect(result.current).toEqual([])
})

test('updates and dismisses through the returned handle', () => {
  const { result } = renderHook(() => useToasts())
  const shown = toast({ title: 'Saving' })
  act(() => shown.update({ title: 'Saved' }))
  expect(result.current[0]?.title).toBe('Saved')
  act(() => shown.dismiss())
  expect(result.current[0]?.open).toBe(false)
})
