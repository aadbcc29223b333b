import { env } from 'cloudflare:test'
import { Import, type ImportKind, type ImportRow, mapColumns } from '../contract/imports'
import type { Env } from '../env'
import { importHandler } from '../imports/process-import'
import type { Millis } from '../lib/clock'
import { getJson, send } from './client'
import { loadFixtures } from './fixtures'
import { type ConsumeOptions, consumeMessages } from './queues'
import { NOON } from './seed'
import { cookieHeaderFor } from './users'

let cookie = ''
export async function setUpImports(): Promise<void> {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
}

type AtOption = { at?: Millis }

/** No limit of requests per minute, because a test file sends more than that. */
const NO_RATE_LIMIT = { LIMIT_WRITES: { limit: async () => ({ success: true }) } }

export const importRequest = (method: string, path: string, body?: unknown, { at = NOON }: AtOption = {}) =>
  send(method, `/api/admin/imports${path}`, body, { at, env: NO_RATE_LIMIT, headers: { cookie } })

export const getAsAdmin = (path: string) => send('GET', path, undefined, { at: NOON, headers: { cookie } })

/** Lines of a CSV file. */
export const csvLines = (...lines: string[]) => `${lines.join('\n')}\n`

type UploadOptions = AtOption & { name?: string; env?: Partial<Env> }

export const uploadFile = (content: BodyInit, { name = 'fans.csv', at = NOON, env: bindings }: UploadOptions = {}) =>
  send('POST', `/api/admin/imports?name=${encodeURIComponent(name)}`, undefined, {
    at,
    env: { ...NO_RATE_LIMIT, ...bindings },
    headers: { cookie, 'content-type': 'text/csv' },
    raw: content,
  })

export const uploadImport = async (content: BodyInit, options?: UploadOptions): Promise<Import> =>
  Import.parse(await (await uploadFile(content, options)).json())

export const getImport = async (id: string): Promise<Import> =>
  Import.parse(await getJson(`/api/admin/imports/${id}`, { at: NOON, headers: { cookie } }))

export const reportedRows = (id: string) =>
  getJson<ImportRow[]>(`/api/admin/imports/${id}/rows`, { at: NOON, headers: { cookie } })

/** Runs the queue consumer on the import's message; see `consumeMessages`. */
export async function processImport(id: string, options?: ConsumeOptions) {
  const run = await env.DB.prepare('SELECT run FROM imports WHERE id = ?').bind(id).first('run')
  return consumeMessages(importHandler, [{ kind: 'import', id, run }], options)
}

export const checkImport = (file: Import, { consentAttested = true, kind = file.kind as ImportKind, at = NOON } = {}) =>
  importRequest('POST', `/${file.id}/check`, { kind, mapping: mapColumns(kind, file.headers), consentAttested }, { at })

/** Uploads a file and does a dry run. */
export async function dryRun(
  content: BodyInit,
  options: AtOption & { consentAttested?: boolean } = {},
): Promise<Import> {
  const file = await uploadImport(content, options)
  await checkImport(file, options)
  await processImport(file.id, options)
  return getImport(file.id)
}

/** Starts the import of a file with the settings of its last dry run. */
export const startImport = async (id: string, options?: AtOption) =>
  importRequest('POST', `/${id}/start`, { run: (await getImport(id)).run }, options)

/** Uploads, checks and imports a file. */
export async function importFile(
  content: BodyInit,
  options: AtOption & { consentAttested?: boolean } = {},
): Promise<Import> {
  const { id } = await dryRun(content, options)
  await startImport(id, options)
  await processImport(id, options)
  return getImport(id)
}

export async function undoImport(id: string, options: AtOption = {}): Promise<Import> {
  await importRequest('POST', `/${id}/undo`, undefined, options)
  await processImport(id, options)
  return getImport(id)
}
