import * as z from 'zod/mini'
import { editors, type RawBody, upload } from './endpoint'
import { href } from './fields'
import { IMAGE_WIDTHS } from './images'

// The body of a request is one file, whose type is detected from its bytes.

/** Larger images are rejected before decoding. */
export const MAX_IMAGE_SIDE_PX = 6000

/** For images in posts, which have one variant (docs/decisions/0006). */
export const MAX_POST_IMAGE_SIDE_PX = 1280

export const IMAGE_UPLOAD: RawBody = { types: ['image/webp', 'image/png', 'image/jpeg'], maxBytes: 5 * 1024 * 1024 }

/** Content types that browsers send, each with the type that is stored. */
export const AUDIO_TYPES: Readonly<Record<string, string>> = {
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/mp4': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg': 'audio/ogg',
  'audio/webm': 'audio/webm',
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/flac': 'audio/flac',
  'audio/x-flac': 'audio/flac',
}
/** File name extension of a stored audio type. */
export const audioExtension = (contentType: string): string =>
  ({ 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' })[contentType] ?? contentType.replace('audio/', '')
export const AUDIO_UPLOAD: RawBody = { types: Object.keys(AUDIO_TYPES), maxBytes: 50 * 1024 * 1024 }

/** URL and size in pixels of a stored image. */
export const UploadedImage = z.object({ id: z.string(), url: href, width: z.int(), height: z.int() })
export type UploadedImage = z.infer<typeof UploadedImage>

/** `audio` is the value to save in a track. */
export const UploadedAudio = z.object({ audio: z.string(), sizeBytes: z.int() })
export type UploadedAudio = z.infer<typeof UploadedAudio>

/** Uploads that no form saves are deleted after two days. */
export const uploadsApi = {
  image: upload('/api/admin/uploads/pictures', UploadedImage, { ...editors, accepts: IMAGE_UPLOAD, status: 201 }),
  variant: upload('/api/admin/uploads/pictures/:id/:width', null, {
    ...editors,
    accepts: IMAGE_UPLOAD,
    description: `A variant that the browser made; its width is one of ${IMAGE_WIDTHS.join(', ')}.`,
  }),
  audio: upload('/api/admin/uploads/audio', UploadedAudio, { ...editors, accepts: AUDIO_UPLOAD, status: 201 }),
}
