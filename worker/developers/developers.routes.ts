import { Hono } from 'hono'
import { cachedPublicRead } from '../cache/public-reads'
import { developersApi } from '../contract/developers'
import type { AppEnv } from '../http/app-env'
import { buildOpenApi } from './openapi'

export const developersRoutes = new Hono<AppEnv>()

const documents = new Map<string, string>()

/** The text for an origin. Built once: converting some hundred schemas takes tens of milliseconds. */
function openApiText(origin: string): string {
  const text = documents.get(origin) ?? JSON.stringify(buildOpenApi(origin))
  // A demo's origin is whatever host the request names.
  if (documents.size < 10) documents.set(origin, text)
  return text
}

developersRoutes.get(
  developersApi.openApi.path,
  cachedPublicRead(async ({ origin }) => ({
    body: openApiText(origin),
    headers: { 'content-type': 'application/json' },
    hasCounters: false,
  })),
)
