import * as z from 'zod/mini'
import { version } from '../../package.json'
import type { Endpoint } from '../contract/endpoint'
import { ERROR_STATUS } from '../contract/errors'
import { endpoints } from '../contract/index'
import descriptions from './endpoint-descriptions.json'

type Json = Record<string, unknown>

/** Endpoints of the local demo, which answer 404 elsewhere. */
const DEMO_PATHS = /^\/api\/(demo|test-payments)\//

/** Success statuses other than 200 for a response with content and 204 without; a test compares them with the routes. */
const SUCCESS_STATUS: Readonly<Record<string, 201 | 202 | 302 | 303>> = {
  'GET /api/auth/google': 302,
  'GET /api/auth/google/callback': 302,
  'GET /api/newsletter/unsubscribe': 303,
  'GET /apple-touch-icon.png': 302,
  'GET /favicon.ico': 302,
  'POST /api/account/email': 202,
  'POST /api/account/passkeys': 201,
  'POST /api/admin/archives': 202,
  'POST /api/admin/broadcasts': 201,
  'POST /api/admin/broadcasts/:id/send': 202,
  'POST /api/admin/broadcasts/:id/test': 202,
  'POST /api/admin/challenges': 201,
  'POST /api/admin/concerts': 201,
  'POST /api/admin/confirm/code': 202,
  'POST /api/admin/discounts': 201,
  'POST /api/admin/download-codes': 201,
  'POST /api/admin/exports': 202,
  'POST /api/admin/missions': 201,
  'POST /api/admin/polls': 201,
  'POST /api/admin/posts': 201,
  'POST /api/admin/privacy/inquiries/:id/mail-file': 202,
  'POST /api/admin/products': 201,
  'POST /api/admin/releases': 201,
  'POST /api/admin/shipping-zones': 201,
  'POST /api/admin/social-posts': 201,
  'POST /api/admin/supporters/:id/notes': 201,
  'POST /api/admin/tax-rates': 201,
  'POST /api/admin/tracks': 201,
  'POST /api/admin/tracks/:id/master-uploads': 201,
  'POST /api/admin/uploads/audio': 201,
  'POST /api/admin/uploads/pictures': 201,
  'POST /api/auth/confirm/code': 202,
  'POST /api/auth/email/resend': 202,
  'POST /api/auth/password/forgot': 202,
  'POST /api/auth/signup': 201,
  'POST /api/challenge/recordings': 201,
  'POST /api/challenges/:id/submissions': 201,
  'POST /api/community/pictures': 201,
  'POST /api/community/posts': 201,
  'POST /api/community/posts/:id/report': 202,
  'POST /api/embed/stream': 202,
  'POST /api/polls': 201,
  'POST /api/privacy/inquiries': 202,
  'POST /api/shows/alerts': 202,
  'POST /api/shows/city-requests': 202,
  'POST /api/stock-alerts': 202,
  'POST /api/tracks/stream': 202,
}

const endpointKey = ({ method, path }: Endpoint) => `${method} ${path}`
const describe = (endpoint: Endpoint): string =>
  (descriptions as Record<string, string | undefined>)[endpointKey(endpoint)] ?? ''

/** Status of a successful response. */
export const successStatus = (endpoint: Endpoint): number =>
  SUCCESS_STATUS[endpointKey(endpoint)] ?? (endpoint.response || endpoint.method === 'GET' ? 200 : 204)

const INTRODUCTION = `The calls that this site is made of. [The guide](/developers) has examples.

- Errors are one plain-text sentence; the header \`X-Error-Code\` holds a stable code. 429 has \`Retry-After\`.
- Lists have pages: follow the header \`Link: <…>; rel="next"\`.
- Timestamps are ISO 8601 in UTC. Amounts ending in \`Cents\` are integer cents.
- Fields may be added to responses. Unknown fields in a request are an error.
- Writes from a browser need this site’s own \`Origin\`.`

/** The description of every endpoint as OpenAPI 3.1. `origin` is the site's address. */
export function buildOpenApi(origin: string): Json {
  const served = endpoints.filter(({ path }) => !DEMO_PATHS.test(path))
  const paths: Record<string, Json> = {}
  for (const endpoint of served) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Site API', version, summary: 'Music, shows, shop and community', description: INTRODUCTION },
    servers: [{ url: origin }],
    tags: [...new Set(served.map(tagOf))].sort().map((name) => ({ name, description: tagDescription(name) })),
    paths,
    components: {
      securitySchemes: {
        supporter: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'A supporter’s session.' },
        admin: { type: 'apiKey', in: 'cookie', name: '__Host-admin', description: 'A team member’s session.' },
      },
      responses: {
        Error: {
          description: 'What went wrong, as one sentence.',
          headers: {
            'X-Error-Code': {
              description: 'A stable code.',
              schema: { type: 'string', enum: Object.keys(ERROR_STATUS) },
            },
          },
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
    },
  }
}

/** `GET /api/polls/:pollId/live` → `getPollsByPollIdLive`. */
function operationId({ method, path }: Endpoint): string {
  const words = path
    .replace(/^\/api\//, '/')
    .split(/[/.\-_]/)
    .filter(Boolean)
  const parts = words.map((word) => (word.startsWith(':') ? `By${capitalize(word.slice(1))}` : capitalize(word)))
  return `${method.toLowerCase()}${parts.join('')}`
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const toWords = (name: string) => capitalize(name.replace(/[-_]/g, ' '))

/** The first segments of the path that name a resource. */
function tagOf({ path }: Endpoint): string {
  const [first = '', second = ''] = path
    .replace(/^\/api\//, '')
    .replace(/^\//, '')
    .split('/')
  if (first === 'admin') return `Team: ${second.replace(/-/g, ' ')}`
  return path.startsWith('/api/') ? toWords(first.replace(/\.\w+$/, '')) : 'Files and feeds'
}

const tagDescription = (name: string) =>
  name.startsWith('Team: ') ? 'For the artist’s team, in the dashboard.' : 'For visitors and supporters.'

/** The first sentence of the description, or the resource and the verb of its path. */
function summaryOf(endpoint: Endpoint): string {
  const [sentence = ''] = /^[A-Z][^.;:]{2,79}(?=[.;:]|$)/.exec(describe(endpoint).replace(/`/g, '')) ?? []
  if (sentence) return sentence
  const verb = { GET: 'Read', POST: 'Create or act on', PATCH: 'Change', DELETE: 'Remove' }[endpoint.method]
  const resource = endpoint.path.replace(/^\/api\/(admin\/)?|^\//g, '').replace(/\/:\w+/g, '')
  return `${verb} ${resource.replace(/[-/]/g, ' ')}`
}

/** Names of query parameters: the description mentions each as `?name=`. */
function queryNames(endpoint: Endpoint): string[] {
  const text = describe(endpoint)
  const names = [...text.matchAll(/[?&](\w+)=/g)].map(([, name = '']) => name)
  return [...new Set(/per page|a page\b/.test(text) ? [...names, 'cursor'] : names)]
}

const SECURITY: Readonly<Record<Endpoint['auth'], Json[]>> = {
  visitor: [],
  user: [{ supporter: [] }],
  confirmed: [{ supporter: [] }],
  admin: [{ admin: [] }],
}

function toOperation(endpoint: Endpoint): Json {
  const { path, body, response, raw, auth } = endpoint
  const description = [describe(endpoint), assuranceText(endpoint)].filter(Boolean).join('\n\n')
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...queryNames(endpoint).map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
  ]
  const status = successStatus(endpoint)
  const isFile = !response && status === 200
  const content = response
    ? { 'application/json': { schema: toJsonSchema(response, 'output') } }
    : isFile && { 'application/octet-stream': {} }
  return {
    operationId: operationId(endpoint),
    summary: summaryOf(endpoint),
    ...(description && { description }),
    tags: [tagOf(endpoint)],
    security: SECURITY[auth],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: toJsonSchema(body, 'input') } } },
    }),
    ...(raw && {
      requestBody: { required: true, content: Object.fromEntries(raw.types.map((type) => [type, {}])) },
    }),
    responses: {
      [status]: {
        description: isFile ? 'The file.' : status >= 300 ? 'A redirect.' : 'Success.',
        ...(content && { content }),
      },
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  }
}

function assuranceText({ auth, roles, recentAuth }: Endpoint): string {
  const sentences = [
    auth === 'confirmed' && 'Needs a confirmed email address.',
    roles && `For the team’s ${roles.join(', ')}.`,
    recentAuth && 'Needs an authentication within the last 15 minutes.',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** JSON Schema (draft 2020-12). Responses stay open for new fields. */
function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return json
}
