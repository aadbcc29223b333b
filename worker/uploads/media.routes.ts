import { type Context, Hono } from 'hono'
import { IMAGE_WIDTHS } from '../contract/images'
import { siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { matchesEtag } from '../http/send-stored-file'
import { AppError } from '../lib/app-error'
import { parseImageWidth, readVisibility, UPLOADS_FOLDER } from './uploads'

export const mediaRoutes = new Hono<AppEnv>()

mediaRoutes.get(siteApi.media.path, async (c) => {
  const { folder, name } = c.req.param()
  // Only old links have `?w=640`: today each variant has its own address.
  const oldWidth = c.req.query('w')
  const width = oldWidth === undefined ? null : parseImageWidth(oldWidth)
  const [object, isPublic] = await Promise.all([
    getFirstExisting(c.env.FILES, imageKeys({ folder, name, width })),
    folder === UPLOADS_FOLDER ? isPublicUpload(c, originalName(name)) : true,
  ])
  const contentType = object?.httpMetadata?.contentType ?? ''
  if (!object || !IMAGE_TYPES.has(contentType)) throw imageNotFoundError()
  // An image that is opened as a page cannot run scripts or load anything.
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  c.header('etag', object.httpEtag)
  if (isPublic) {
    // Embeds, feed readers and link previews show public images.
    c.header('cross-origin-resource-policy', 'cross-origin')
    // Uploads never change; the site's own images may be replaced.
    const cacheControl = folder === UPLOADS_FOLDER ? 'max-age=31536000, immutable' : 'max-age=3600'
    c.header('cache-control', `public, ${cacheControl}`)
  }
  if (matchesEtag(c.req.header('if-none-match'), object.httpEtag)) return c.body(null, 304)
  c.header('content-type', contentType)
  c.header('content-length', String(object.size))
  c.header('content-disposition', 'inline')
  return c.body(object.body)
})

const imageNotFoundError = () => new AppError('not_found', 'There is no picture at this address.')

/**
 * Whether the image is public.
 * @throws AppError `not_found` for a private image of another owner, except to administrators.
 */
async function isPublicUpload(c: Context<AppEnv>, id: string): Promise<boolean> {
  const { isPublic, ownerId } = await readVisibility(c.var.db, { id, at: c.var.now() })
  if (isPublic) return true
  const isAdmin = await c.var.session.requireAdmin().then(
    () => true,
    () => false,
  )
  const user = isAdmin ? null : await c.var.session.user()
  if (!isAdmin && (user === null || user.userId !== ownerId)) throw imageNotFoundError()
  return false
}

/** Reads in sequence, because the first key nearly always exists. */
async function getFirstExisting(files: R2Bucket, keys: readonly string[]): Promise<R2ObjectBody | null> {
  for (const key of keys) {
    const object = await files.get(key)
    if (object) return object
  }
  return null
}

/** Types served from our origin; other files (audio, exports) have routes that check access. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/webp', 'image/png', 'image/jpeg', 'image/avif'])

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/
/** Matches `up_1.c532.320.avif` and `up_1@320`. */
const VARIANT_FILE = /^(.+)([.@])(\d{2,4})(\.\w+)?$/

/**
 * R2 keys that may hold an image, best first: the variant of `width`, larger ones, the original. Empty for invalid
 * names.
 */
function imageKeys({ folder, name, width }: { folder: string; name: string; width: number | null }): string[] {
  if (!SAFE_NAME.test(folder) || !SAFE_NAME.test(name)) return []
  const [, stem = name, separator = '@', ownWidth, extension = ''] = VARIANT_FILE.exec(name) ?? []
  const minWidth = ownWidth ? Number(ownWidth) : width
  const variants = IMAGE_WIDTHS.filter((candidate) => minWidth !== null && candidate >= minWidth)
  const names = [
    ...variants.map((variant) => `${stem}${separator}${variant}${extension}`),
    stem + extension,
    originalName(name),
  ]
  return [...new Set(names)].map((key) => `${folder}/${key}`)
}

/** The image of which a file is a variant. */
function originalName(name: string): string {
  const [, stem = name, , , extension = ''] = VARIANT_FILE.exec(name) ?? []
  return (stem + extension).replace(/\.avif$/, '.webp')
}
