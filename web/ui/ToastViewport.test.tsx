import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToastViewport } from './ToastViewport'
import { toast, useToasts } from './toast'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const Standing = () => <ToastViewport toasts={useToasts()} />

test('closes after 5000 ms after a toast dismissed while hovered', async () => {
  render(<Standing />)
  await act(async () => void toast({ title: 'First' }))
  const dismiss = screen.getByRole('button', { name: 'Dismiss' })
  fireEvent.pointerMove(dismiss, { pointerType: 'mouse' })
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.queryByText('First')).not.toBeNull()
  act(() => dismiss.focus())
  await act(async () => void fireEvent.click(dismiss))
  expect(screen.queryByText('First')).toBeNull()

  act(() => (document.activeElement as HTMLElement | null)?.blur())
  await act(async () => void toast({ title: 'Second' }))
  await act(() => vi.advanceTimersByTimeAsync(4999))
  expect(screen.queryByText('Second')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('Second')).toBeNull()
})
