import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { HiddenLyric } from './Footer'

test('reveals the lyric and dispatches easter-egg on window', () => {
  const dispatched: Event[] = []
  window.addEventListener('easter-egg', (event) => dispatched.push(event), { once: true })
  render(<HiddenLyric lyric="A hidden line." />)
  expect(screen.queryByText('A hidden line.')).toBeNull()
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByText('A hidden line.')).toBeDefined()
  expect(dispatched).toHaveLength(1)
  expect((dispatched[0] as CustomEvent).detail).toEqual({ lyric: 'A hidden line.' })
})

test('renders nothing without a lyric', () => {
  render(<HiddenLyric lyric="" />)
  expect(screen.queryByRole('button')).toBeNull()
})
