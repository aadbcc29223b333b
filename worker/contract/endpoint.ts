import type * as z from 'zod/mini'

/** Who may call: everybody, a logged-in supporter, an administrator with an admin session. */
export type CallerRole = 'visitor' | 'supporter' | 'administrator'
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/** Bytes as they are instead of JSON: under which content types, and how many at the most. */
export type RawBody = { types: readonly string[]; maxBytes: number }

/** One row of the wire contract: a method, a path, who may call it and the shapes that cross it. */
export type Endpoint<
  Path extends string = string,
  Body extends z.ZodMiniType | null = z.ZodMiniType | null,
  Reply extends z.ZodMiniType | null = z.ZodMiniType | null,
> = {
  method: Method
  /** Absolute, may hold `:params`. */
  path: Path
  role: CallerRole
  /** The JSON body that is sent; null when there is none. */
  body: Body
  /** The JSON that comes back; null when the answer is empty or not JSON. */
  response: Reply
  /** What somebody reads who has to log in first; null for the usual sentence. */
  signInMessage: string | null
  /** The handler's own statement confirms the session in D1, so that a hot call makes one round trip. */
  checksSessionInQuery: boolean
  /** The body is a file, not JSON; null for every other call. */
  raw: RawBody | null
}

type Options = { role?: CallerRole; signInMessage?: string; checksSessionInQuery?: boolean }

/** A read. `response` is null for answers that are not JSON (audio, calendars, XML). */
export function get<const P extends string, R extends z.ZodMiniType | null>(
  path: P,
  response: R,
  { role = 'visitor', signInMessage, checksSessionInQuery = false }: Options = {},
): Endpoint<P, null, R> {
  return {
    method: 'GET',
    path,
    role,
    body: null,
    response,
    signInMessage: signInMessage ?? null,
    checksSessionInQuery,
    raw: null,
  }
}

/** A write. `body` is checked by the worker before its handler runs. */
export function post<const P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  path: P,
  body: B,
  response: R,
  { role = 'visitor', signInMessage, checksSessionInQuery = false }: Options = {},
): Endpoint<P, B, R> {
  return {
    method: 'POST',
    path,
    role,
    body,
    response,
    signInMessage: signInMessage ?? null,
    checksSessionInQuery,
    raw: null,
  }
}

/** A partial change. */
export function patch<const P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  path: P,
  body: B,
  response: R,
  { role = 'visitor', signInMessage, checksSessionInQuery = false }: Options = {},
): Endpoint<P, B, R> {
  return {
    method: 'PATCH',
    path,
    role,
    body,
    response,
    signInMessage: signInMessage ?? null,
    checksSessionInQuery,
    raw: null,
  }
}

/** A removal. */
export function del<const P extends string, B extends z.ZodMiniType | null, R extends z.ZodMiniType | null>(
  path: P,
  body: B,
  response: R,
  { role = 'visitor', signInMessage, checksSessionInQuery = false }: Options = {},
): Endpoint<P, B, R> {
  return {
    method: 'DELETE',
    path,
    role,
    body,
    response,
    signInMessage: signInMessage ?? null,
    checksSessionInQuery,
    raw: null,
  }
}

/** A write whose body is a file, streamed as it is under its own content type. */
export function upload<const P extends string, R extends z.ZodMiniType | null>(
  path: P,
  response: R,
  { role = 'supporter', accepts }: { role?: CallerRole; accepts: RawBody },
): Endpoint<P, null, R> {
  return {
    method: 'POST',
    path,
    role,
    body: null,
    response,
    signInMessage: null,
    checksSessionInQuery: false,
    raw: accepts,
  }
}

/** What a request's path is held against: `/api/polls/:id` matches `/api/polls/7`. */
export const pathPattern = (path: string) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`)

/** `'/polls/:pollId/vote'` → `'pollId'`. */
export type PathParam<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? PathParam<Head> | PathParam<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never
