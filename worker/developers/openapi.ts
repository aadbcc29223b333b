import * as z from 'zod/mini'
import { version } from '../../package.json'
import {
  TOKEN_AREAS,
  TOKEN_SCOPES,
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENTS,
  type WebhookEventType,
} from '../contract/developers'
import type { Endpoint } from '../contract/endpoint'
import { ERROR_STATUS } from '../contract/errors'
import { endpoints } from '../contract/index'
import { tokenScope } from '../contract/token-scopes'

type Json = Record<string, unknown>

const INTRODUCTION =
  'Every API call of this site. [The guide](/developers) explains access tokens, errors, pages and webhooks.'

/** The description of every endpoint as OpenAPI 3.1. `origin` is the site's address. */
export function buildOpenApi(origin: string): Json {
  const served = endpoints.filter(({ demoOnly }) => !demoOnly)
  const paths: Record<string, Json> = {}
  for (const endpoint of served) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Site API', version, summary: 'Music, shows, shop and community', description: INTRODUCTION },
    servers: [{ url: origin }],
    tags: [...new Set([...served.map(tagOf), 'Webhooks'])]
      .sort()
      .map((name) => ({ name, description: tagDescription(name) })),
    paths,
    webhooks: Object.fromEntries(
      Object.keys(WEBHOOK_EVENTS).map((type) => [type, toWebhookItem(type as WebhookEventType)]),
    ),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `A team member’s access token. Scopes: ${TOKEN_SCOPES.join(', ')}. Areas: ${Object.values(TOKEN_AREAS).join('; ')}.`,
        },
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

/** The resource that the first segments of the path name, in words. */
function tagOf({ path }: Endpoint): string {
  const [first = '', second = ''] = path
    .replace(/^\/api\//, '')
    .replace(/^\//, '')
    .split('/')
  if (first === 'admin') return `Team: ${second.replace(/-/g, ' ')}`
  return path.startsWith('/api/') ? toWords(first.replace(/\.\w+$/, '')) : 'Files and feeds'
}

function tagDescription(name: string): string {
  if (name === 'Webhooks') return 'What the site sends.'
  return name.startsWith('Team: ') ? 'For the artist’s team, in the dashboard.' : 'For visitors and supporters.'
}

/** The first sentence of the description; without one, the verb of the method and the resource of the path. */
function summaryOf(endpoint: Endpoint): string {
  const [sentence = ''] = /^[A-Z][^.;:]{2,79}(?=[.;:]|$)/.exec(endpoint.description.replace(/`/g, '')) ?? []
  if (sentence) return sentence
  const verb = { GET: 'Read', POST: 'Create or act on', PATCH: 'Change', DELETE: 'Remove' }[endpoint.method]
  const resource = endpoint.path.replace(/^\/api\/(admin\/)?|^\//g, '').replace(/\/:\w+/g, '')
  return `${verb} ${resource.replace(/[-/]/g, ' ')}`
}

function securityOf(endpoint: Endpoint): Json[] {
  if (endpoint.auth === 'visitor') return []
  if (endpoint.auth !== 'admin') return [{ supporter: [] }]
  const scope = tokenScope(endpoint)
  return scope ? [{ token: [scope] }, { admin: [] }] : [{ admin: [] }]
}

/** The request that a receiver of webhooks gets for an event. */
function toWebhookItem(type: WebhookEventType): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const properties = {
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time' },
    data: toJsonSchema(WEBHOOK_EVENTS[type], 'output'),
  }
  return {
    post: {
      operationId: `on${type.split(/[._]/).map(capitalize).join('')}`,
      summary: WEBHOOK_EVENT_LABELS[type],
      description: 'Signed as in the Standard Webhooks specification. Answer 2xx within ten seconds.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', 'The event: the same for every attempt and replay.'),
        header('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
        header('webhook-signature', 'Signatures `v1,…`, separated by spaces; one must match.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Turns the webhook off.' },
        '3XX': { description: 'Tried again, for three days; redirects are not followed.' },
        '4XX': { description: 'Tried again, for three days.' },
        '5XX': { description: 'Tried again, for three days.' },
      },
    },
  }
}

function toOperation(endpoint: Endpoint): Json {
  const { path, body, response, raw, status } = endpoint
  const description = [endpoint.description, accessText(endpoint)].filter(Boolean).join('\n\n')
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...endpoint.query.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
  ]
  const isFile = !response && status === 200
  const content = response
    ? { 'application/json': { schema: toJsonSchema(response, 'output') } }
    : isFile && { 'application/octet-stream': {} }
  return {
    operationId: operationId(endpoint),
    summary: summaryOf(endpoint),
    ...(description && { description }),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !z.safeParse(body, undefined).success,
        content: { 'application/json': { schema: toJsonSchema(body, 'input') } },
      },
    }),
    ...(raw && {
      requestBody: { required: true, content: Object.fromEntries(raw.types.map((type) => [type, {}])) },
    }),
    responses: {
      [status]: {
        description: responseDescription(isFile, status),
        ...(content && { content }),
      },
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  }
}

function responseDescription(isFile: boolean, status: number): string {
  if (isFile) return 'The file.'
  return status >= 300 ? 'A redirect.' : 'Success.'
}

function accessText(endpoint: Endpoint): string {
  const { auth, roles, recentAuth } = endpoint
  const scope = tokenScope(endpoint)
  const sentences = [
    auth === 'confirmed' && 'Needs a confirmed email address.',
    roles && `For the team’s ${roles.join(', ')}.`,
    recentAuth && 'Needs an authentication within the last 15 minutes.',
    scope && `Scope of an access token: \`${scope}\`.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** JSON Schema (draft 2020-12). The schema of a response allows fields that are added later. */
function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Removes what says nothing to a reader: patterns of formats and the limits of safe integers.
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return json
}
