/** Endpoints whose responses are the same for all visitors. */
export const PUBLIC_API = /^\/api\/(config|releases(\/[^/]+)?|announced-releases|concerts(\/[^/.]+)?|products)$/
/** The only query parameter that changes a rendered page. */
const RENDERED_PARAM = 'tier'

/** A Workbox plugin that caches only `public` responses; those that depend on a session are `private`. */
export const publicOnly = (contentType: RegExp) => ({
  cacheWillUpdate: async ({ response }: { response: Response }) => {
    const isPublic = /\bpublic\b/.test(response.headers.get('cache-control') ?? '')
    const isExpected = contentType.test(response.headers.get('content-type') ?? '')
    return response.status === 200 && !response.redirected && isPublic && isExpected ? response : null
  },
})

/** A Workbox plugin that caches a page under its path and, if present, its `tier` parameter. */
export const keyedByPath = {
  cacheKeyWillBeUsed: async ({ request }: { request: Request }) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    const value = searchParams.get(RENDERED_PARAM)
    return `${origin}${pathname}${value === null ? '' : `?${RENDERED_PARAM}=${encodeURIComponent(value)}`}`
  },
}
