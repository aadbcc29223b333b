import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './Dialog'
import { Toaster } from './Toaster'
import { ToastViewport } from './ToastViewport'
import { dismiss, reduceToasts, TOAST_LIMIT, TOAST_REMOVE_DELAY_MS, toast, useToasts } from './toast'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const current = { id: '1', title: 'First', open: true }

test('allows one toast and a remove delay of 1000000 ms', () => {
  expect([TOAST_LIMIT, TOAST_REMOVE_DELAY_MS]).toEqual([1, 1_000_000])
})

test('replaces the current toast', () => {
  const next = { id: '2', title: 'Second', open: true }
  expect(reduceToasts([current], { kind: 'add', toast: next })).toEqual([next])
})

test('updates only the given fields', () => {
  expect(reduceToasts([current], { kind: 'update', toast: { id: '1', text: 'More' } })).toEqual([
    { ...current, text: 'More' },
  ])
  expect(reduceToasts([current], { kind: 'update', toast: { id: '9', text: 'More' } })).toEqual([current])
})

test('closes a dismissed toast and drops a removed one', () => {
  expect(reduceToasts([current], { kind: 'dismiss', id: '1' })).toEqual([{ ...current, open: false }])
  expect(reduceToasts([current], { kind: 'remove', id: '1' })).toEqual([])
})

test('removes a dismissed toast after exactly 1000000 ms', () => {
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
  const handle = toast({ title: 'Saving' })
  act(() => handle.update({ title: 'Saved' }))
  expect(result.current[0]?.title).toBe('Saved')
  act(() => handle.dismiss())
  expect(result.current[0]?.open).toBe(false)
})

test('closes after 5000 ms, also after a hovered toast', async () => {
  const Viewport = () => <ToastViewport toasts={useToasts()} />
  render(<Viewport />)
  await act(async () => void toast({ title: 'First' }))
  const dismissButton = screen.getByRole('button', { name: 'Dismiss' })
  fireEvent.pointerMove(dismissButton, { pointerType: 'mouse' })
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.queryByText('First')).not.toBeNull()
  act(() => dismissButton.focus())
  await act(async () => void fireEvent.click(dismissButton))
  expect(screen.queryByText('First')).toBeNull()

  act(() => (document.activeElement as HTMLElement | null)?.blur())
  await act(async () => void toast({ title: 'Second' }))
  await act(() => vi.advanceTimersByTimeAsync(4999))
  expect(screen.queryByText('Second')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('Second')).toBeNull()
})

test('a dialog does not hide a toast that opens later', async () => {
  vi.useRealTimers()
  render(
    <>
      <Toaster />
      <Dialog title="Sheet" onClose={() => undefined}>
        Text
      </Dialog>
    </>,
  )
  await screen.findByRole('dialog')
  act(() => void toast({ title: 'Login required' }))
  // Found only if no ancestor is hidden from screen readers.
  expect(await screen.findByRole('region', { name: /^Notification/ }, { timeout: 5000 })).toBeTruthy()
})

test('Escape closes a dialog and the toast over it', async () => {
  const onClose = vi.fn()
  const Viewport = () => <ToastViewport toasts={useToasts()} />
  render(
    <>
      <Viewport />
      <Dialog title="Sheet" onClose={onClose}>
        Text
      </Dialog>
    </>,
  )
  await act(async () => void toast({ title: 'Saved' }))
  expect(screen.queryByText('Saved')).not.toBeNull()
  await act(async () => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }))
  expect(screen.queryByText('Saved')).toBeNull()
  expect(onClose).toHaveBeenCalledOnce()
})
