import type * as z from 'zod/mini'
import type { Endpoint, PathParam } from '../../worker/contract/endpoint'
import type { ErrorCode } from '../../worker/contract/errors'
import { requestReauthentication } from './reauthentication'

/** A non-OK response. Toasts show its `message`: `<status>: <body>`, with the status text in place of an empty body. */
export class ApiError extends Error {
  readonly status: number
  /** The header `X-Error-Code`. */
  readonly code: string | null
  /** The header `X-Stock-Left`: the stock, if it is less than requested. */
  readonly stockLeft: number | null
  constructor(status: number, code: string | null, text: string, stockLeft: string | null = null) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.stockLeft = stockLeft === null ? null : Number(stockLeft)
  }
}

/** The path's parameters by name, and the `body` of an endpoint that has one. */
export type Input<P extends string, B extends z.ZodMiniType | null> = {
  [Name in PathParam<P>]: string
} & (B extends z.ZodMiniType ? (undefined extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : unknown)

/** The response's data; undefined for an endpoint without a response schema. */
export type Reply<R extends z.ZodMiniType | null> = R extends z.ZodMiniType ? z.output<R> : undefined

/** `keepalive`: the request survives leaving the page. `search`: query string with its question mark. */
type Options = { keepalive?: boolean; search?: string; timeoutMs?: number }

/**
 * Calls an endpoint, with cookies. In development the response is validated against the contract.
 * @throws ApiError on a non-OK status; TypeError if the network fails; DOMException `TimeoutError` after `timeoutMs`.
 */
export async function call<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  input: Input<P, B>,
  options: Options = {},
): Promise<Reply<R>> {
  return read(endpoint, await send(endpoint, input, options))
}

/** Sends a request; if it needs recent authentication, re-authenticates the user and sends it again. */
export async function send<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  input: Input<P, B>,
  options: Options = {},
): Promise<Response> {
  try {
    return await sendOnce(endpoint, input, options)
  } catch (error) {
    if (!hasCode(error, 'recent_auth_required')) throw error
    const kind = endpoint.auth === 'admin' ? 'administrator' : 'supporter'
    const isReauthenticated = await requestReauthentication({ kind })
    if (!isReauthenticated) throw error
    return sendOnce(endpoint, input, options)
  }
}

/** Checks that a GET would succeed, without loading its body; re-authenticates as `send` does. */
export const requireAccess = <P extends string>(
  endpoint: Endpoint<P, null>,
  input: Input<P, null>,
): Promise<Response> => send({ ...endpoint, method: 'HEAD' as 'GET' }, input)

async function sendOnce<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  input: Input<P, B>,
  { keepalive = false, search = '', timeoutMs }: Options,
): Promise<Response> {
  const { body, ...params } = input as { body?: unknown } & Record<string, string>
  const response = await fetch(fillPath(endpoint.path, params) + search, {
    method: endpoint.method,
    credentials: 'include',
    keepalive,
    ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (response.ok) return response
  const header = (name: string) => response.headers.get(name)
  const text = (await response.text()) || response.statusText
  throw new ApiError(response.status, header('x-error-code'), text, header('x-stock-left'))
}

/** Replaces the parameters of a path like `/api/polls/:id`. */
export const fillPath = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

async function read<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  response: Response,
): Promise<Reply<R>> {
  if (!endpoint.response) return undefined as Reply<R>
  const data: unknown = await response.json()
  return (import.meta.env.DEV ? endpoint.response.parse(data) : data) as Reply<R>
}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status)

export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): boolean =>
  error instanceof ApiError && codes.includes(error.code as ErrorCode)

/** Returns null for a 404 and rethrows other errors: `call(...).catch(nullIfNotFound)`. */
export function nullIfNotFound(error: unknown): null {
  if (hasStatus(error, 404)) return null
  throw error
}

/** The error's text to show beside a field: of an ApiError without its status (toasts show it), else a general text. */
export function errorMessage(error: Error): string {
  return error instanceof ApiError ? error.message.replace(/^\d{3}: /, '') : 'That did not work. Please try again.'
}

/**
 * Loads one page of a list. `search` is the page's query string, such as the `next` of the page before it, or null for
 * the first page. `next` and `previous` are null where there is no such page. Throws as `call` does.
 */
export async function callPage<P extends string, R extends z.ZodMiniType>(
  endpoint: Endpoint<P, null, R>,
  input: Input<P, null>,
  search: string | null,
): Promise<{ rows: Reply<R>; next: string | null; previous: string | null }> {
  const response = await send(endpoint, input, { search: search ?? '' })
  const link = response.headers.get('link') ?? ''
  return { rows: await read(endpoint, response), next: linkedPage(link, 'next'), previous: linkedPage(link, 'prev') }
}

/** The query string in a Link header: `</api/points/history?cursor=1.2>; rel="next"` becomes `?cursor=1.2`. */
function linkedPage(link: string, relation: 'next' | 'prev'): string | null {
  return new RegExp(`<[^>?]*(\\?[^>]*)>\\s*;\\s*rel="?${relation}"?`).exec(link)?.[1] ?? null
}
