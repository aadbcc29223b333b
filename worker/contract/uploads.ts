import * as z from 'zod/mini'
import { administrator, type RawBody, upload } from './endpoint'
import { href } from './fields'

// Files come as they are, one to a call, under their own content type. What they are is read from their bytes.

/** A picture is refused above so many pixels to a side: it would be gigabytes once unpacked. */
export const MAX_IMAGE_SIDE_PX = 6000

/** The same for a supporter's picture, which is one file for every screen (docs/decisions/0022). */
export const MAX_POST_IMAGE_SIDE_PX = 1280

export const IMAGE_UPLOAD: RawBody = { types: ['image/webp', 'image/png', 'image/jpeg'], maxBytes: 5 * 1024 * 1024 }

/** What browsers call a recording, and what we keep it as. */
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
export const AUDIO_UPLOAD: RawBody = { types: Object.keys(AUDIO_TYPES), maxBytes: 50 * 1024 * 1024 }

/** A picture as it is kept: its address, which a form then saves, and its size in pixels. */
export const UploadedImage = z.object({ id: z.string(), url: href, width: z.int(), height: z.int() })
export type UploadedImage = z.infer<typeof UploadedImage>

/** A recording as it is kept; `audio` is what a track's form saves. */
export const UploadedAudio = z.object({ audio: z.string(), sizeBytes: z.int() })
export type UploadedAudio = z.infer<typeof UploadedAudio>

/** Nothing of an upload is on the site before a form names it; one that no form names is removed after two days. */
export const uploadsApi = {
  picture: upload('/api/admin/uploads/pictures', UploadedImage, { ...administrator, accepts: IMAGE_UPLOAD }),
  /** The same picture so many pixels wide (one of PICTURE_WIDTHS), made by the browser. */
  rendition: upload('/api/admin/uploads/pictures/:id/:width', null, { ...administrator, accepts: IMAGE_UPLOAD }),
  audio: upload('/api/admin/uploads/audio', UploadedAudio, { ...administrator, accepts: AUDIO_UPLOAD }),
}
