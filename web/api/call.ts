import type * as z from 'zod/mini'
import type { Endpoint, PathParam } from '../../worker/contract/endpoint'

/**
 * A non-OK answer. `message` is `"<status>: <body>"`, or the status text when the body is empty (specification
 * section 8); toasts show it as it is. `code` is the stable `X-Error-Code`, null when the answer carried none.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | null
  /** The header `X-Stock-Left` of what is sold out in the number that was asked for, else null. */
  readonly left: number | null
  constructor(status: number, code: string | null, text: string, left: string | null = null) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.left = left === null ? null : Number(left)
  }
}

export type Input<P extends string, B extends z.ZodMiniType | null> = {
  [Name in PathParam<P>]: string
} & (B extends z.ZodMiniType ? (undefined extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : unknown)

export type Reply<R extends z.ZodMiniType | null> = R extends z.ZodMiniType ? z.output<R> : undefined

/**
 * `keepalive` lets a request outlive the page that sent it; `search` stands behind the path, with its question mark;
 * `patienceMs` gives up on an answer that does not come.
 */
type Options = { keepalive?: boolean; search?: string; patienceMs?: number }

/**
 * Sends one request of the contract, with cookies. In development the answer is checked against the contract too.
 * @throws ApiError on a non-OK status; TypeError when the network fails.
 */
export async function call<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  input: Input<P, B>,
  options: Options = {},
): Promise<Reply<R>> {
  return read(endpoint, await send(endpoint, input, options))
}

/** The OK answer to a request of the contract; `search` is added to the address as it is. */
export async function send<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  input: Input<P, B>,
  { keepalive = false, search = '', patienceMs }: Options = {},
): Promise<Response> {
  const { body, ...params } = input as { body?: unknown } & Record<string, string>
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const answer = await fetch(path + search, {
    method: endpoint.method,
    credentials: 'include',
    keepalive,
    ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (answer.ok) return answer
  const header = (name: string) => answer.headers.get(name)
  const text = (await answer.text()) || answer.statusText
  throw new ApiError(answer.status, header('x-error-code'), text, header('x-stock-left'))
}

/** What an OK answer carries. */
export async function read<P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, B, R>,
  answer: Response,
): Promise<Reply<R>> {
  if (!endpoint.response) return undefined as Reply<R>
  const data: unknown = await answer.json()
  return (import.meta.env.DEV ? endpoint.response.parse(data) : data) as Reply<R>
}

/** The error text of a response without its status, to show beside a field. Toasts show the whole message. */
export function errorMessage(error: Error): string {
  return error instanceof ApiError ? error.message.replace(/^\d{3}: /, '') : 'That did not work. Please try again.'
}

/**
 * One page of a list, and where the next one is: null after the last. `at` is what an earlier page gave as `next`; the
 * first page is at null.
 * @throws ApiError, TypeError as `call` does.
 */
export async function callPage<P extends string, R extends z.ZodMiniType>(
  endpoint: Endpoint<P, null, R>,
  input: Input<P, null>,
  at: string | null,
): Promise<{ rows: Reply<R>; next: string | null }> {
  const response = await send(endpoint, input, { search: at ?? '' })
  return { rows: await read(endpoint, response), next: nextPage(response.headers.get('link')) }
}

/** `</api/points/history?cursor=1.2>; rel="next"` becomes `?cursor=1.2`. */
function nextPage(link: string | null): string | null {
  return /<[^>?]*(\?[^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1] ?? null
}
