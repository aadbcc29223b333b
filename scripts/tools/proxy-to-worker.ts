import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Connect, Plugin } from 'vite'

/** Paths that vite serves; the worker serves all others. */
const VITE_PATHS = /^\/(@|web\/|worker\/|node_modules\/)/

/**
 * Proxies pages and API from the worker and replaces the built entry with vite's. Drops the content security policy,
 * because vite needs an inline script; this runs in development only.
 */
export function proxyToWorker(target: string): Plugin {
  return {
    name: 'proxy-to-worker',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (VITE_PATHS.test(request.url ?? '/')) return next()
        const proxied = await fetchFromWorker(request, target).catch(() => null)
        if (!proxied) {
          response.statusCode = 502
          return response.end('The worker is restarting.')
        }
        response.statusCode = proxied.status
        for (const [name, value] of proxied.headers)
          if (!/^(content-security-policy|content-encoding|content-length|transfer-encoding|set-cookie)$/.test(name))
            response.setHeader(name, value)
        response.setHeader('set-cookie', proxied.headers.getSetCookie())
        if (proxied.headers.get('content-type')?.startsWith('text/html')) {
          const page = (await proxied.text())
            .replace(/<link rel="(?:stylesheet|modulepreload)"[^>]*>/g, '')
            // The rendered markup is from the last build, so the browser renders every page itself.
            .replace(/<style>.*?<\/style>|<script id="state".*?<\/script>/gs, '')
            .replace(/<div id="root">.*<\/div>\n<noscript>/s, '<div id="root"></div>\n<noscript>')
            .replace(/<script type="module" src="[^"]+"[^>]*>/, '<script type="module" src="/web/main.tsx">')
          return response.end(await server.transformIndexHtml(request.url ?? '/', page))
        }
        if (!proxied.body) return response.end()
        Readable.fromWeb(proxied.body as ReadableStream).pipe(response)
      })
    },
  }
}

function fetchFromWorker(request: Connect.IncomingMessage, target: string): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !/^(host|connection)$/.test(name)) headers.set(name, value)
  // The worker accepts writes from its own origin only.
  if (headers.get('origin') === `http://${request.headers.host}`) headers.set('origin', target)
  const method = request.method ?? 'GET'
  const body = method === 'GET' || method === 'HEAD' ? undefined : (Readable.toWeb(request) as unknown as BodyInit)
  return fetch(target + (request.url ?? '/'), {
    method,
    headers,
    body,
    redirect: 'manual',
    ...(body && { duplex: 'half' }),
  } as RequestInit)
}
