import type { Db } from '../db/client'
import { publishImages, requireUploads } from '../uploads/uploads'

const imageKey = (url: string) => url.replace('/media/', '')

/** Publishes the images. @throws AppError `bad_input` unless every one was uploaded here. */
export const requireImages = (db: Db, urls: readonly string[]) => publishImages(db, urls.map(imageKey))

/** The cover of a track or release is public with it. @throws AppError `bad_input` unless it was uploaded here. */
export const requireCover = (db: Db, url: string) => requireUploads(db, 'picture', [imageKey(url)])
