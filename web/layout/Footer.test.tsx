import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EndGroove } from './Footer'

test('reveals the lyric and dispatches easter-egg on window', () => {
  const raised: Event[] = []
  window.addEventListener('easter-egg', (event) => raised.push(event), { once: true })
  render(<EndGroove lyric="A line nobody reads." />)
  expect(screen.queryByText('A line nobody reads.')).toBeNull()
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByText('A line nobody reads.')).toBeDefined()
  expect(raised).toHaveLength(1)
  expect((raised[0] as CustomEvent).detail).toEqual({ lyric: 'A line nobody reads.' })
})

test('renders nothing without a lyric', () => {
  render(<EndGroove lyric="" />)
  expect(screen.queryByRole('button')).toBeNull()
})
