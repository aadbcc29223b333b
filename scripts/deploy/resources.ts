import type { Ask } from '../tools/prompt.ts'

/** Names of the resources of a site in its Cloudflare account. */
export type Resources = {
  worker: string
  database: string
  namespace: string
  buckets: readonly string[]
  queues: readonly string[]
}

/** Calls Cloudflare's API for one account. @throws Error with Cloudflare's message. */
export type CloudflareApi = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<T>

class CloudflareApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type ApiResponse = { success: boolean; result: unknown; errors?: { code: number; message: string }[] }

type ApiConnection = {
  /** Without a trailing slash, such as `https://api.cloudflare.com/client/v4`. */
  baseUrl: string
  accountId: string
  token: string
  /** The operator's command, for messages that say to repeat it. */
  command: string
}

/** Returns a function that calls Cloudflare's API for one account; its errors ask the operator to repeat `command`. */
export function connectToApi({ baseUrl, accountId, token, command }: ApiConnection): CloudflareApi {
  return async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/accounts/${accountId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const envelope = (await response.json().catch(() => null)) as ApiResponse | null
    if (response.ok && envelope?.success) return envelope.result as T
    const reason = envelope?.errors?.map(({ message }) => message).join(' ') ?? 'no reason given'
    throw new CloudflareApiError(
      response.status,
      `Cloudflare rejected ${method} ${path.split('?')[0]}: ${reason} (${response.status}). Run ${command} again: it continues where it stopped.`,
    )
  }
}

const nullIfNotFound = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof CloudflareApiError && error.status === 404) return null
    throw error
  })

const PER_PAGE = 100

/** Reads all pages of a list. */
async function listAll<T>(api: CloudflareApi, path: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const entries = (await api<T[] | null>('GET', `${path}?per_page=${PER_PAGE}&page=${page}`)) ?? []
    all.push(...entries)
    if (entries.length < PER_PAGE) return all
  }
}

/**
 * Creates the database and the KV namespace unless they exist. They are found by name, so a second run continues after
 * a failure. Returns the ids for wrangler.toml.
 */
export async function ensureStores(
  api: CloudflareApi,
  { database, namespace }: Resources,
  print: (line: string) => void,
): Promise<{ databaseId: string; namespaceId: string }> {
  const databases = await api<{ uuid: string; name: string }[]>(
    'GET',
    `d1/database?name=${encodeURIComponent(database)}`,
  )
  let databaseId = databases.find(({ name }) => name === database)?.uuid
  if (!databaseId) {
    databaseId = (await api<{ uuid: string }>('POST', 'd1/database', { name: database })).uuid
    print(`Created the database ${database}.`)
  }
  const namespaces = await listAll<{ id: string; title: string }>(api, 'storage/kv/namespaces')
  let namespaceId = namespaces.find(({ title }) => title === namespace)?.id
  if (!namespaceId) {
    namespaceId = (await api<{ id: string }>('POST', 'storage/kv/namespaces', { title: namespace })).id
    print(`Created the KV namespace ${namespace}.`)
  }
  return { databaseId, namespaceId }
}

/** Creates buckets and queues that are missing. */
export async function ensureBucketsAndQueues(
  api: CloudflareApi,
  { buckets, queues }: Resources,
  print: (line: string) => void,
): Promise<void> {
  for (const bucket of buckets)
    if (!(await nullIfNotFound(api('GET', `r2/buckets/${bucket}`)))) {
      await api('POST', 'r2/buckets', { name: bucket })
      print(`Created the bucket ${bucket}.`)
    }
  const existing = new Set((await listAll<{ queue_name: string }>(api, 'queues')).map(({ queue_name }) => queue_name))
  for (const queue of queues)
    if (!existing.has(queue)) {
      await api('POST', 'queues', { queue_name: queue })
      print(`Created the queue ${queue}.`)
    }
}

/** Whether the worker has this secret; false while there is no worker. */
export async function hasSecret(api: CloudflareApi, worker: string, name: string): Promise<boolean> {
  const secrets = await nullIfNotFound(api<{ name: string }[]>('GET', `workers/scripts/${worker}/secrets`))
  return secrets?.some((secret) => secret.name === name) ?? false
}

export const putSecret = (api: CloudflareApi, worker: string, name: string, text: string) =>
  api('PUT', `workers/scripts/${worker}/secrets`, { name, text, type: 'secret_text' })

/** The database's current Time Travel bookmark; null if it has none. */
export async function timeTravelBookmark(api: CloudflareApi, databaseId: string): Promise<string | null> {
  const found = await nullIfNotFound(api<{ bookmark: string }>('GET', `d1/database/${databaseId}/time_travel/bookmark`))
  return found?.bookmark ?? null
}

/** Origin of a worker on workers.dev. @throws Error with a message for an operator whose account has no subdomain. */
export async function workersDevOrigin(api: CloudflareApi, worker: string): Promise<string> {
  const found = await nullIfNotFound(api<{ subdomain: string } | null>('GET', 'workers/subdomain'))
  if (!found?.subdomain)
    throw new Error('Your account has no workers.dev subdomain yet. Open Workers & Pages in the dashboard once.')
  return `https://${worker}.${found.subdomain}.workers.dev`
}

export type Account = { id: string; name: string }

/** Id of the account to deploy to; asks if there are several. @throws Error with a message for the operator. */
export async function chooseAccount(accounts: readonly Account[], ask: Ask | null): Promise<string> {
  const [first] = accounts
  if (!first)
    throw new Error('This token has access to no account. Run npx wrangler login again or change CLOUDFLARE_API_TOKEN.')
  if (accounts.length === 1) return first.id
  const list = accounts.map(({ id, name }) => `  ${id} (${name})`).join('\n')
  const typedId = (await ask?.(`You have several accounts:\n${list}\nId of the one to deploy to: `))?.trim()
  if (accounts.some(({ id }) => id === typedId)) return typedId as string
  throw new Error(`Choose an account with CLOUDFLARE_ACCOUNT_ID:\n${list}`)
}
