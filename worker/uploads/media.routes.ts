import { Hono } from 'hono'
import { IMAGE_WIDTHS } from '../contract/images'
import { siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { matchesEtag } from '../http/downloads'
import { AppError } from '../lib/app-error'
import { IMAGE_TYPES, imageKeys } from './media'
import { UPLOADS_FOLDER } from './uploads'

export const mediaRoutes = new Hono<AppEnv>()

mediaRoutes.get(siteApi.media.path, async (c) => {
  const { folder, name } = c.req.param()
  const object = await getFirst(c.env.FILES, imageKeys({ folder, name, width: parseWidth(c.req.query('w')) }))
  const contentType = object?.httpMetadata?.contentType ?? ''
  if (!object || !IMAGE_TYPES.has(contentType)) throw new AppError('not_found', 'There is no picture at this address.')
  // An upload is not our page: opened by itself it runs nothing and loads nothing.
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  c.header('etag', object.httpEtag)
  // What was sent is never another picture; the house's own can be replaced under its name: kept for an hour, then
  // asked about.
  c.header('cache-control', folder === UPLOADS_FOLDER ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
  if (matchesEtag(c.req.header('if-none-match'), object.httpEtag)) return c.body(null, 304)
  c.header('content-type', contentType)
  c.header('content-length', String(object.size))
  c.header('content-disposition', 'inline')
  return c.body(object.body)
})

/** One request after another: the rendition that was asked for is nearly always there. */
async function getFirst(files: R2Bucket, keys: readonly string[]): Promise<R2ObjectBody | null> {
  for (const key of keys) {
    const object = await files.get(key)
    if (object) return object
  }
  return null
}

/** A closed set of widths keeps what caches hold of one picture small; another width is refused, not rounded. */
function parseWidth(text: string | undefined): number | null {
  if (text === undefined) return null
  const width = IMAGE_WIDTHS.find((candidate) => String(candidate) === text)
  if (!width) throw new AppError('bad_input', `A picture comes in these widths: ${IMAGE_WIDTHS.join(', ')}.`)
  return width
}
