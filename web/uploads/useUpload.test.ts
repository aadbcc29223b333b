import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UploadError } from './upload-error'
import { useUpload } from './useUpload'

test.each([
  ['an UploadError’s message', new UploadError('This file is a video.'), 'This file is a video.'],
  [
    'a general message for an unreadable file',
    new DOMException('', 'NotReadableError'),
    'The upload failed. Please try again.',
  ],
])('shows %s', async (_, error, text) => {
  const { result } = renderHook(() => useUpload(() => Promise.reject(error), { onUploaded: () => undefined }))
  await act(() => result.current.start('take.wav'))
  expect([result.current.uploadError, result.current.progress]).toEqual([text, null])
})
