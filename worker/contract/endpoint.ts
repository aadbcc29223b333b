import type * as z from 'zod/mini'

/**
 * Roles of the artist's team. `owner`: everything; `manager`: everything except roles, secrets and erasing others;
 * `editor`: content and posts; `door`: check-in.
 */
export const TEAM_ROLES = ['owner', 'manager', 'editor', 'door'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]

/** Who may call: anyone, a logged-in user, a user with a confirmed email address, a team member's admin session. */
export type Auth = 'visitor' | 'user' | 'confirmed' | 'admin'

/**
 * What a caller must have proven. Every endpoint states it; `accessControl` enforces it after a JSON body is read and
 * before an uploaded file is read.
 */
export type Assurance = {
  auth: Auth
  /** Team roles that may call; null unless `auth` is 'admin'. */
  roles: readonly TeamRole[] | null
  /** The caller must have authenticated within the last 15 minutes. */
  recentAuth: boolean
}

export const visitor = { auth: 'visitor' } as const
export const user = { auth: 'user' } as const
export const confirmed = { auth: 'confirmed' } as const
const admin = (...roles: TeamRole[]) => ({ auth: 'admin', roles }) as const
export const owners = admin('owner')
export const managers = admin('owner', 'manager')
export const editors = admin('owner', 'manager', 'editor')
export const doorTeam = admin('owner', 'manager', 'door')
export const team = admin(...TEAM_ROLES)

/** Limits of a request body that is a file instead of JSON. */
export type RawBody = { types: readonly string[]; maxBytes: number }

/** What a successful call may leave to do in the background. `worker/app.ts` starts it after the response. */
export type BackgroundWork = 'prepare_downloads' | 'deliver_webhooks'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Schema = z.ZodMiniType | null

export type Endpoint<
  Path extends string = string,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> = Assurance & {
  method: Method
  /** Absolute; may contain `:params`. */
  path: Path
  /** Schema of the JSON body; null without one. */
  body: Body
  /** Schema of the JSON response; null when the response is empty or not JSON. */
  response: Response
  /** Error message for callers who are not logged in; null for the default. */
  signInMessage: string | null
  /** The handler's own SQL statement checks the session, which saves a query. Only for `user`. */
  checksSessionInSql: boolean
  /** Limits of a body that is a file; null for other bodies. */
  raw: RawBody | null
  /** Other sites may call it: its body is signed, has an emailed token or reports a stream, and need not be JSON. */
  anyOrigin: boolean
  /** Work that the endpoint may start; null for none. */
  starts: BackgroundWork | null
  /** Answers 404 outside the local demo. */
  demoOnly: boolean
} & Documentation

/** For the OpenAPI document. */
type Documentation = {
  /** What method, path and schemas do not say, in Markdown; may be empty. */
  description: string
  /** Names of the query parameters. */
  query: readonly string[]
  /** HTTP status of a successful response. */
  status: number
}

/** Query of a list of the dashboard that can be searched, with its filters. */
export const listQuery = (...filters: readonly string[]): readonly string[] => ['q', 'sort', 'cursor', ...filters]

/**
 * `checksSessionInSql` skips every check but the log-in, so only plain `user` endpoints may have it. `status` is 200 by
 * default, or 204 for a write without content.
 */
type Options = {
  signInMessage?: string
  anyOrigin?: true
  starts?: BackgroundWork
  demoOnly?: true
} & Partial<Documentation> &
  (
    | { auth: 'user'; checksSessionInSql: true; recentAuth?: never }
    | (({ auth: Exclude<Auth, 'admin'> } | { auth: 'admin'; roles: readonly TeamRole[] }) & {
        recentAuth?: boolean
        checksSessionInSql?: never
      })
  )

export const get = <const P extends string, R extends Schema>(path: P, response: R, options: Options) =>
  endpoint('GET', { path, body: null, response }, options)

const withBody =
  (method: Method) =>
  <const P extends string, B extends Schema, R extends Schema>(path: P, body: B, response: R, options: Options) =>
    endpoint(method, { path, body, response }, options)

export const post = withBody('POST')
export const patch = withBody('PATCH')
export const del = withBody('DELETE')

/** A POST whose body is a file, streamed under its own content type. */
export const upload = <const P extends string, R extends Schema>(
  path: P,
  response: R,
  { accepts, ...options }: Options & { accepts: RawBody },
) => ({ ...endpoint('POST', { path, body: null, response }, options), raw: accepts })

function endpoint<P extends string, B extends Schema, R extends Schema>(
  method: Method,
  definition: { path: P; body: B; response: R },
  options: Options,
): Endpoint<P, B, R> {
  return {
    method,
    ...definition,
    roles: null,
    recentAuth: false,
    signInMessage: null,
    checksSessionInSql: false,
    raw: null,
    anyOrigin: false,
    starts: null,
    demoOnly: false,
    description: '',
    query: [],
    status: definition.response || method === 'GET' ? 200 : 204,
    ...options,
  }
}

/** Matches request paths: `/api/polls/:id` matches `/api/polls/7`. `parameter` is the pattern of each parameter. */
export const pathPattern = (path: string, parameter = '[^/]+') =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, parameter)}$`)

/** `'/polls/:pollId/vote'` → `'pollId'`. */
export type PathParam<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? PathParam<Head> | PathParam<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never
