import type * as z from 'zod/mini'

/** Who may call: anyone, a logged-in supporter, an administrator with an admin session. */
type CallerRole = 'visitor' | 'supporter' | 'administrator'

/** Limits of a request body that is a file instead of JSON. */
export type RawBody = { types: readonly string[]; maxBytes: number }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Schema = z.ZodMiniType | null

export type Endpoint<Path extends string = string, Body extends Schema = Schema, Response extends Schema = Schema> = {
  method: Method
  /** Absolute, may hold `:params`. */
  path: Path
  role: CallerRole
  /** Schema of the JSON body; null without one. */
  body: Body
  /** Schema of the JSON response; null when the response is empty or not JSON. */
  response: Response
  /** Error message for callers who are not logged in; null for the default. */
  signInMessage: string | null
  /** The handler's own SQL statement checks the session, which saves a query. */
  checksSessionInQuery: boolean
  /** Set when the body is a file. */
  raw: RawBody | null
}

type Options = { role?: CallerRole; signInMessage?: string; checksSessionInQuery?: boolean }

/** Options of endpoints that need a login. */
export const supporter = { role: 'supporter' } as const
export const administrator = { role: 'administrator' } as const

export function get<const P extends string, R extends Schema>(path: P, response: R, options: Options = {}) {
  return endpoint('GET', path, null, response, options)
}

export function post<const P extends string, B extends Schema, R extends Schema>(
  path: P,
  body: B,
  response: R,
  options: Options = {},
) {
  return endpoint('POST', path, body, response, options)
}

export function patch<const P extends string, B extends Schema, R extends Schema>(
  path: P,
  body: B,
  response: R,
  options: Options = {},
) {
  return endpoint('PATCH', path, body, response, options)
}

export function del<const P extends string, B extends Schema, R extends Schema>(
  path: P,
  body: B,
  response: R,
  options: Options = {},
) {
  return endpoint('DELETE', path, body, response, options)
}

/** A POST whose body is a file, streamed under its own content type. */
export function upload<const P extends string, R extends Schema>(
  path: P,
  response: R,
  { role = 'supporter', accepts }: { role?: CallerRole; accepts: RawBody },
) {
  return endpoint('POST', path, null, response, { role }, accepts)
}

/** Matches request paths: `/api/polls/:id` matches `/api/polls/7`. */
export const pathPattern = (path: string) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`)

/** `'/polls/:pollId/vote'` → `'pollId'`. */
export type PathParam<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? PathParam<Head> | PathParam<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never

function endpoint<P extends string, B extends Schema, R extends Schema>(
  method: Method,
  path: P,
  body: B,
  response: R,
  { role = 'visitor', signInMessage, checksSessionInQuery = false }: Options,
  raw: RawBody | null = null,
): Endpoint<P, B, R> {
  return { method, path, role, body, response, signInMessage: signInMessage ?? null, checksSessionInQuery, raw }
}
