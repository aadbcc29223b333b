import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import type { AppEnv } from './app-env'
import { carriesOwnProof, isRead } from './origin'

const capped = bodyLimit({
  maxSize: limits.jsonBodyBytes,
  onError: () => {
    throw new Refused('too_large', 'That is too large to send.')
  },
})

/** A write carries at most `limits.jsonBodyBytes`, declared or chunked; a body on a read is nobody's and stays unread. */
export const smallBody = createMiddleware<AppEnv>((c, next) => (isRead(c) ? next() : capped(c, next)))

/**
 * A write that carries something says that it is JSON, and is: UTF-8 without broken bytes (which JSON.parse would be
 * handed as U+FFFD and store), and text that parses. Endpoints check the shape with `body`.
 */
export const jsonOnly = createMiddleware<AppEnv>(async (c, next) => {
  if (isRead(c) || carriesOwnProof(c)) return next()
  const saysJson = /^application\/json(\s*;.*)?$/i.test(c.req.header('content-type') ?? '')
  const bytes = c.req.raw.body ? await c.req.arrayBuffer() : new ArrayBuffer(0)
  if (bytes.byteLength > 0 && !saysJson)
    throw new Refused('bad_json', 'Please send JSON with the content type application/json.')
  if (saysJson && !parses(bytes)) throw new Refused('bad_json', 'That is not JSON that we can read.')
  return next()
})

function parses(bytes: ArrayBuffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
    return true
  } catch {
    return false
  }
}
