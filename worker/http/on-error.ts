import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { pathPattern } from '../contract/endpoint'
import { PAGES } from '../contract/pages'
import { isOverloaded } from '../db/client'
import { ConfigError } from '../env'
import { AppError } from '../lib/app-error'
import { logEvent } from '../lib/log'
import type { AppEnv } from './app-env'

/** Turns errors into responses: a message and a code, never internal details. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  const appError = expectedError(error) ?? logUnexpected(error, c.var.requestId)
  const { message, status, code, retryAfterSeconds, remaining } = appError
  if (code === 'rate_limited') c.header('retry-after', String(retryAfterSeconds))
  if (remaining !== null) c.header('x-stock-left', String(remaining))
  return c.text(message, status, { 'x-error-code': code, 'cache-control': 'private, no-store' })
}

function expectedError(error: Error): AppError | null {
  if (error instanceof AppError) return error
  // Thrown by hono's middleware for unreadable or oversized bodies.
  if (error instanceof HTTPException && error.status === 400)
    return new AppError('bad_json', 'That request could not be read. Please check it and try again.')
  if (error instanceof HTTPException && error.status === 413)
    return new AppError('too_large', 'That is too large to send.')
  return null
}

/** Logs an unexpected error. Returns the error of the response. */
function logUnexpected(error: Error, requestId: string): AppError {
  const isConfigError = error instanceof ConfigError
  logEvent('unhandled', {
    id: requestId,
    name: error.name,
    message: isConfigError ? error.message : redactSecrets(rootCauseMessage(error)),
    where: /^\s+at (.*)$/m.exec(error.stack ?? '')?.[1],
  })
  if (isConfigError) return new AppError('unavailable', 'This site is not set up yet. Please try again later.')
  return isOverloaded(error)
    ? new AppError('unavailable', 'The site is very busy right now. Please try again in a moment.')
    : new AppError('internal', `Something went wrong on our side. Please try again. (${requestId})`)
}

// Drizzle's message contains SQL and parameters; the message of its cause contains neither.
function rootCauseMessage(error: Error): string {
  if (error.cause instanceof Error) return rootCauseMessage(error.cause)
  return error.name === 'DrizzleQueryError' ? 'query failed' : error.message
}

/** Removes quoted text, email addresses, phone and card numbers and tokens. */
function redactSecrets(message: string): string {
  return message
    .replace(/"[^"]*("|$)/g, '"…"')
    .replace(/[^\s<>]+@[^\s<>]+/g, '…@…')
    .replace(/\+?\d[\d\s().-]{6,}\d/g, '…')
    .replace(/[\w-]{24,}/g, '…')
    .slice(0, 300)
}

const pagePatterns = PAGES.map((page) => pathPattern(page))

/** @throws AppError `method_not_allowed` if the path exists with another method, else `not_found`. */
export function notFound(c: Context<AppEnv>): never {
  const isPage = pagePatterns.some((pattern) => pattern.test(c.req.path))
  const methods = [...new Set([...c.var.endpoints.methodsOf(c.req.path), ...(isPage ? ['GET'] : [])])]
  if (methods.length > 0) {
    c.header('allow', methods.includes('GET') ? [...methods, 'HEAD'].join(', ') : methods.join(', '))
    throw new AppError('method_not_allowed', 'That cannot be done here.')
  }
  throw new AppError('not_found', 'This page does not exist.')
}
