import { expect, test, vi } from 'vitest'
import { IMAGE_CROPS } from './image-crop'
import { UploadError } from './upload-error'
import { uploadImage } from './upload-image'

test('throws an UploadError for a picture the browser cannot decode', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')))
  const options = { crop: IMAGE_CROPS.cover, onProgress: () => undefined, signal: new AbortController().signal }
  await expect(uploadImage(new Blob(['<svg/>']), options)).rejects.toEqual(
    new UploadError('This browser cannot read that picture. Please choose a JPEG, PNG or WebP.'),
  )
})
