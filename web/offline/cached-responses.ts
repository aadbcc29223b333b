/** Responses that are the same for all visitors; never sessions, votes, likes or results. */
export const PUBLIC_API = /^\/api\/(config|releases(\/[^/]+)?|announced-releases|concerts(\/[^/.]+)?|products)$/
/** The only query parameter that changes a rendered page. */
const RENDERED_PARAM = 'tier'

/** Caches only what the server calls public: it sends `private` with everything that depends on a session. */
export const publicOnly = (contentType: RegExp) => ({
  cacheWillUpdate: async ({ response }: { response: Response }) => {
    const isPublic = /\bpublic\b/.test(response.headers.get('cache-control') ?? '')
    const isExpected = contentType.test(response.headers.get('content-type') ?? '')
    return response.status === 200 && !response.redirected && isPublic && isExpected ? response : null
  },
})

/** A page is cached under its path: other parameters name orders, referrers or moments. */
export const underPath = {
  cacheKeyWillBeUsed: async ({ request }: { request: Request }) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    const value = searchParams.get(RENDERED_PARAM)
    return `${origin}${pathname}${value === null ? '' : `?${RENDERED_PARAM}=${encodeURIComponent(value)}`}`
  },
}
