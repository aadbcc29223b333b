import type { Db } from '../db/client'
import { publishUploads } from '../uploads/uploads'

/** @throws AppError `bad_input` unless every image was uploaded here. */
export const requireImages = (db: Db, urls: readonly string[]) =>
  publishUploads(
    db,
    'picture',
    urls.map((url) => url.replace('/media/', '')),
  )
