import type { Db } from '../db/client'
import { publishUploads, requireUploads } from './uploads'

const imageKey = (url: string) => url.replace('/media/', '')

/** Publishes the images at these URLs. @throws AppError `bad_input` unless each was uploaded here. */
export const publishImages = (db: Db, urls: readonly string[]) => publishUploads(db, urls.map(imageKey))

/**
 * Checks a cover, which is published with its track or release.
 * @throws AppError `bad_input` unless it was uploaded here.
 */
export const requireCover = (db: Db, url: string) => requireUploads(db, 'picture', [imageKey(url)])
