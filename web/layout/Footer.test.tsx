import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { HiddenLyric } from './Footer'

test('reveals the lyric and dispatches easter-egg on window', () => {
  const dispatched: Event[] = []
  window.addEventListener('easter-egg', (event) => dispatched.push(event), { once: true })
  render(<HiddenLyric lyric="A line nobody reads." />)
  expect(screen.queryByText('A line nobody reads.')).toBeNull()
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByText('A line nobody reads.')).toBeDefined()
  expect(dispatched).toHaveLength(1)
  expect((dispatched[0] as CustomEvent).detail).toEqual({ lyric: 'A line nobody reads.' })
})

test('renders nothing without a lyric', () => {
  render(<HiddenLyric lyric="" />)
  expect(screen.queryByRole('button')).toBeNull()
})
