import * as z from 'zod/mini'
import { get, user, visitor } from './endpoint'
import { href, timestamp } from './fields'

/** `lossless`: each track of the release in the format of its master, FLAC or WAV. */
export const DOWNLOAD_FORMATS = ['flac', 'wav', 'lossless', 'mp3'] as const
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number]

export const FORMAT_NAMES: Readonly<Record<DownloadFormat, string>> = {
  flac: 'FLAC',
  wav: 'WAV',
  lossless: 'FLAC and WAV',
  mp3: 'MP3',
}

/** A release or track that the caller may download. */
export const Download = z.object({
  title: z.string(),
  artist: z.string(),
  coverUrl: href,
  kind: z.enum(['release', 'track']),
  /** `url` is a signed link that works for a day, and only while the caller may download. */
  formats: z.array(z.object({ name: z.string(), sizeBytes: z.int(), url: href })),
  /** Names of formats whose files are being written. */
  preparing: z.array(z.string()),
  /** Release time of a pre-order, which has no files until then; else null. */
  opensAt: z.nullable(timestamp),
})
export type Download = z.infer<typeof Download>

/** Download formats of a variant; `sizeBytes` is null until the file is written. */
export const VariantFormats = z.object({
  variantId: z.string(),
  formats: z.array(z.object({ name: z.string(), sizeBytes: z.nullable(z.int()) })),
})
export type VariantFormats = z.infer<typeof VariantFormats>

export const downloadsApi = {
  formats: get('/api/download-formats', z.array(VariantFormats), {
    ...visitor,
    description: 'Variants that contain a release or track.',
  }),
  ofOrder: get('/api/orders/:id/downloads', z.array(Download), {
    ...visitor,
    description: "`?client_secret=` is the receipt's token or the payment's client secret. 404 `not_found` otherwise.",
    query: ['client_secret'],
  }),
  library: get('/api/library', z.array(Download), {
    ...user,
    description: 'What the account has bought and not returned, newest first; then goods of its redeemed codes.',
  }),
  file: get('/api/downloads/:token', null, {
    ...visitor,
    description:
      'The file, with Range and ETag. 400 `bad_token` for a modified or expired link; 410 `closed` once refunded.',
  }),
}
