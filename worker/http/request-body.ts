import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { checkoutApi } from '../contract/checkout'
import type { Endpoint, RawBody } from '../contract/endpoint'
import { AppError } from '../lib/app-error'
import { limits } from '../limits'
import type { AppEnv } from './app-env'
import { isReadMethod } from './origin'

const limitBodySize = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('too_large', 'That is too large to send.')
    },
  })
const limitJsonBody = limitBodySize(limits.maxJsonBodyBytes)
const limitWebhookBody = limitBodySize(limits.maxWebhookBodyBytes)

/**
 * Limits bodies of writes, declared or chunked: `limits.maxJsonBodyBytes`, `limits.maxWebhookBodyBytes` for the payment
 * webhook, or the contract's limit of a file. Bodies of reads stay unread.
 */
export const limitRequestBody = createMiddleware<AppEnv>((c, next) => {
  if (isReadMethod(c)) return next()
  const { endpoint } = c.var
  if (endpoint?.raw) {
    validateFileHeaders(c, endpoint.raw)
    return next()
  }
  return endpoint === checkoutApi.stripeWebhook ? limitWebhookBody(c, next) : limitJsonBody(c, next)
})

/** Rejects a file by its headers, before reading it. */
function validateFileHeaders(c: Context<AppEnv>, { types, maxBytes }: RawBody): void {
  if (!types.includes(contentType(c)))
    throw new AppError('bad_input', `Please send a file of one of these kinds: ${types.join(', ')}.`)
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw fileTooLargeError(maxBytes)
}

/** Content type without parameters. */
export const contentType = (c: Context<AppEnv>) =>
  (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * Streams the body of a file upload, counting its bytes.
 * @throws AppError `too_large`; the stream's error if the client disconnects.
 */
export async function* readFileBytes(c: Context<AppEnv>, { raw }: Endpoint): AsyncGenerator<Uint8Array> {
  const maxBytes = raw?.maxBytes ?? 0
  let bytesRead = 0
  for await (const bytes of c.req.raw.body ?? []) {
    bytesRead += bytes.byteLength
    if (bytesRead > maxBytes) throw fileTooLargeError(maxBytes)
    yield bytes
  }
}

const fileTooLargeError = (maxBytes: number) =>
  new AppError('too_large', `That file is too large. The limit is ${maxBytes / 1024 / 1024} MB.`)

/**
 * Requires a JSON content type and valid JSON in valid UTF-8 for writes with a body. Endpoints check the schema with
 * `validateBody`.
 */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  if (isReadMethod(c) || c.var.endpoint?.anyOrigin || c.var.endpoint?.raw) return next()
  const isJson = /^application\/json(\s*;.*)?$/i.test(c.req.header('content-type') ?? '')
  const bytes = c.req.raw.body ? await c.req.arrayBuffer() : new ArrayBuffer(0)
  if (bytes.byteLength > 0 && !isJson)
    throw new AppError('bad_json', 'Please send JSON with the content type application/json.')
  if (isJson) checkJson(bytes)
  return next()
})

function checkJson(bytes: ArrayBuffer): void {
  try {
    // Without `fatal`, invalid bytes would become U+FFFD.
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    throw new AppError('bad_json', 'That is not JSON that we can read.')
  }
}
