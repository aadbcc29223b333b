import { createMiddleware } from 'hono/factory'
import { AppError } from '../lib/app-error'
import { SECOND_MS } from '../lib/clock'
import { withTimeout } from '../lib/timeout'
import { limits } from '../limits'
import type { AppEnv } from './app-env'
import { isReadMethod } from './origin'

/** Responds 503 when a store does not respond in time; the write itself continues. File uploads have no time limit. */
export const limitWriteTime = createMiddleware<AppEnv>(async (c, next) => {
  if (isReadMethod(c) || c.var.endpoint?.raw) return next()
  const isInTime = await withTimeout(
    limits.writeTimeoutSeconds * SECOND_MS,
    next().then(() => true),
  )
  if (!isInTime)
    throw new AppError('unavailable', 'This took too long. It may have worked: please check before you try again.')
})
