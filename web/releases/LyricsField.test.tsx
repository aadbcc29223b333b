import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { LyricsField } from './LyricsField'

function Form({ text }: { text: string }) {
  const [value, setValue] = useState(text)
  return <LyricsField value={value} onChange={setValue} durationSeconds={60} audioUrl="/audio" />
}
const lyrics = () => screen.getByLabelText('Lyrics') as HTMLTextAreaElement

test('names the line of an error and selects it', () => {
  render(<Form text={'[00:01.00]One\nTwo\n[02:00.00][02:30.00]Three\n[00:7.00]Four'} />)
  expect(screen.getByText('Line 2: A line begins with its time, such as [01:23.45].')).toBeDefined()
  expect(screen.getByText('Line 3: This time is after the end of the track.')).toBeDefined()
  expect(screen.getByText('Line 4: This time cannot be read. Write it like [01:23.45].')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Show line 2' }))
  expect(lyrics().value.slice(lyrics().selectionStart, lyrics().selectionEnd)).toBe('Two')
})

test('times the lines while the track plays', () => {
  render(<Form text={'One\nTwo'} />)
  fireEvent.click(screen.getByRole('button', { name: 'Time the lines' }))
  const audio = screen.getByLabelText('The recording') as HTMLAudioElement
  const mark = screen.getByRole('button', { name: 'Mark this line' })
  expect(document.activeElement).toBe(mark)
  for (const seconds of [1.5, 4]) {
    audio.currentTime = seconds
    fireEvent.click(mark)
  }
  expect(screen.getByText('2 of 2 lines timed')).toBeDefined()
  // Moves the last time 0.1 seconds earlier.
  fireEvent.keyDown(mark, { key: 'ArrowLeft' })
  // Key repeat does not press the button again.
  expect(fireEvent.keyDown(mark, { key: ' ', repeat: true })).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Use these times' }))
  expect(lyrics().value).toBe('[00:01.50]One\n[00:03.90]Two')
})

const chooseFile = (...content: BlobPart[]) =>
  fireEvent.change(screen.getByLabelText('Lyrics: choose a file'), {
    target: { files: [new File(content, 'song.lrc')] },
  })

test('names the line of a file that is not UTF-8', async () => {
  render(<Form text="Before" />)
  chooseFile('[00:01.00]One\r\n[00:02.00]Caf', Uint8Array.of(0xe9))
  expect(await screen.findByText(/^Line 2 is not UTF-8 text\./)).toBeDefined()
  expect(lyrics().value).toBe('Before')
})

test('reads an LRC file', async () => {
  render(<Form text="" />)
  chooseFile('\uFEFF[00:01.00]One\r\n[00:02.00]Two')
  expect(await screen.findByText('2 timed lines.')).toBeDefined()
  expect(lyrics().value).toBe('[00:01.00]One\n[00:02.00]Two')
})
