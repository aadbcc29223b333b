import { expect, test } from 'vitest'
import { readAudioFile } from './upload-audio'

const MP4_HEADER = '\0\0\0\x20ftypisom\0\0\0\0'

test.each([
  [
    'a text file',
    'notes.mp3',
    'audio/mpeg',
    'The notes of the session.',
    /^This file is not a recording: it begins like a text file\./,
  ],
  ['an empty file', 'song.mp3', 'audio/mpeg', '', /^This file is not a recording: it is empty\./],
  ['a video', 'clip.mp4', 'video/mp4', MP4_HEADER, 'This file is a video. Please choose a recording.'],
])('rejects %s', async (_, name, type, content, message) => {
  await expect(readAudioFile(new File([content], name, { type }))).rejects.toThrow(message)
})

test.each([
  ['song.m4a', 'audio/x-m4a', MP4_HEADER, 'audio/mp4'],
  ['song.flac', '', 'fLaC and its frames', 'audio/flac'],
])('detects the type of %s from its bytes', async (name, type, content, expected) => {
  const audio = await readAudioFile(new File([content], name, { type }))
  expect([audio.type, await audio.text()]).toEqual([expected, content])
})
