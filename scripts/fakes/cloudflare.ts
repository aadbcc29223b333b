import { createServer } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../tools/ports.ts'

type Reply = { status: number; result: unknown }
const okReply = (result: unknown): Reply => ({ status: 200, result })
const NOT_FOUND: Reply = { status: 404, result: null }
/** Every error has this code, because from a 404 it tells wrangler that the worker does not exist yet. */
const NO_WORKER_CODE = 10007

type Options = {
  /** Executes the SQL sent to the account's D1. */
  database?: DatabaseSync
  /** Runs when a secret is set, the last call of a first deployment; the response waits for it. */
  onDeployed?: (secret: string) => Promise<void>
}

const DATABASE_ID = 'database-1'
const NAMESPACE_ID = 'namespace-1'

/**
 * A fake Cloudflare API on loopback with one account: what `wrangler d1 migrations apply`, `wrangler deploy` and
 * `npm run deploy` call.
 */
export async function startFakeCloudflare({ database, onDeployed }: Options = {}) {
  const newSet = () => new Set<string>()
  const databases = newSet()
  const namespaces = newSet()
  const buckets = newSet()
  const queues = newSet()
  const consumers = newSet()
  const secrets = new Map<string, string>()
  let hasWorker = false

  const d1 = { uuid: DATABASE_ID, name: '', version: 'production', num_tables: 0, file_size: 0 }
  const listOf = (names: Iterable<string>, toEntry: (name: string) => object) => okReply([...names].map(toEntry))

  /** D1's response: the rows of one SELECT, or none for any other SQL, which may have several statements. */
  function query(sql: string): Reply {
    if (!database) return NOT_FOUND
    const meta = { duration: 0, changes: 0, rows_read: 0, rows_written: 0 }
    if (!/^\s*SELECT\b/i.test(sql)) {
      database.exec(sql)
      return okReply([{ results: [], success: true, meta }])
    }
    return okReply([{ results: database.prepare(sql).all(), success: true, meta }])
  }

  async function respond(method: string, path: string, parameters: URLSearchParams, body: Buffer): Promise<Reply> {
    const json = () => JSON.parse(body.toString()) as Record<string, string>
    const isPost = method === 'POST'
    if (path === 'd1/database') {
      const prefix = parameters.get('name') ?? ''
      if (!isPost)
        return listOf(
          [...databases].filter((name) => name.startsWith(prefix)),
          (name) => ({ ...d1, name }),
        )
      databases.add(json().name ?? '')
      return okReply(d1)
    }
    if (path === `d1/database/${d1.uuid}`) return okReply({ ...d1, name: [...databases][0] })
    if (path === `d1/database/${d1.uuid}/query`) return query(json().sql ?? '')
    if (path.endsWith('/time_travel/bookmark')) return okReply({ bookmark: '0000-bookmark' })
    if (path === 'storage/kv/namespaces') {
      if (!isPost) return listOf(namespaces, (title) => ({ id: NAMESPACE_ID, title }))
      namespaces.add(json().title ?? '')
      return okReply({ id: NAMESPACE_ID })
    }
    if (path === 'r2/buckets' && isPost) return okReply(buckets.add(json().name ?? '') && {})
    if (path.startsWith('r2/buckets/')) return buckets.has(path.slice('r2/buckets/'.length)) ? okReply({}) : NOT_FOUND
    if (path === 'queues') {
      // Wrangler asks for all queues of wrangler.toml at once.
      const names = parameters.getAll('name')
      if (!isPost)
        return listOf(
          [...queues].filter((name) => names.length === 0 || names.includes(name)),
          (name) => ({ queue_id: name, queue_name: name, consumers: [] }),
        )
      queues.add(json().queue_name ?? '')
      return okReply({})
    }
    const consumedQueue = /^queues\/([^/]+)\/consumers$/.exec(path)?.[1]
    if (consumedQueue) return okReply(consumers.add(consumedQueue) && {})
    if (path.endsWith('/assets-upload-session')) return okReply({ jwt: 'an-upload', buckets: [] })
    if (path.endsWith('/domains/changeset')) return okReply({ added: [], removed: [], updated: [], conflicting: [] })
    if (path === 'workers/subdomain') return okReply({ subdomain: 'an-account' })
    if (path.endsWith('/subdomain')) return okReply({ enabled: false, previews_enabled: false })
    if (path.endsWith('/secrets')) {
      if (method === 'GET') return secrets.size > 0 ? listOf(secrets.keys(), (name) => ({ name })) : NOT_FOUND
      const { name = '', text = '' } = json()
      secrets.set(name, text)
      await onDeployed?.(text)
      return okReply({})
    }
    if (/^workers\/scripts\/[^/]+$/.test(path) && method === 'PUT') {
      hasWorker = true
      return okReply({ id: 'a-worker', etag: 'an-etag', deployment_id: '0'.repeat(32), startup_time_ms: 1 })
    }
    if (/^workers\/workers\/[^/]+$/.test(path) && method === 'GET' && hasWorker)
      return okReply({ subdomain: { enabled: false, previews_enabled: false } })
    if (/^workers\/(scripts|services|workers)\//.test(path) && method === 'GET' && !hasWorker) return NOT_FOUND
    return method === 'GET' ? NOT_FOUND : okReply({})
  }

  const account = {
    /** Method and path of each call, without the prefix of the account. */
    calls: [] as string[],
    /** The call that fails with status 500. */
    failingCall: '',
    queues,
    consumers,
    secrets,
  }
  // Longer than wrangler pauses between requests on a slow machine.
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.replace(/^\/client\/v4\/(accounts\/[^/]+\/)?/, '')
    const call = `${request.method} ${path}`
    account.calls.push(call)
    const body = await buffer(request)
    const { status, result } =
      call === account.failingCall
        ? { status: 500, result: 'No.' }
        : await respond(request.method ?? '', path, searchParams, body).catch(
            (error: Error): Reply => ({ status: 500, result: error.message }),
          )
    const errors = status === 200 ? [] : [{ code: NO_WORKER_CODE, message: String(result ?? 'Not found.') }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: status === 200, result, errors, messages: [] }))
  })
  const { url, close } = await listenOnLoopback(server)
  return Object.assign(account, { url: `${url}/client/v4`, close })
}
