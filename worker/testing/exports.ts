import { env } from 'cloudflare:test'
import { ExportFile } from '../contract/exports'
import type { Env } from '../env'
import { exportHandler } from '../exports/exports'
import type { Millis } from '../lib/clock'
import { getJson, send } from './client'
import { loadFixtures } from './fixtures'
import { type ConsumeOptions, consumeMessages } from './queues'
import { NOON } from './seed'
import { cookieHeaderFor } from './users'

type RequestOptions = { at?: Millis; env?: Partial<Env> }

let cookie = ''
export async function setUpExports(): Promise<void> {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
}

const request = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  options: RequestOptions = {},
) => send(method, path, body, { at: NOON, ...options, headers: { cookie, ...headers } })

export const requestExport = async (kind: string, columns?: string[]): Promise<ExportFile> =>
  ExportFile.parse(await (await request('POST', '/api/admin/exports', { kind, columns })).json())

/** Sends a request to the API of weekly exports. */
export const scheduleRequest = (method: string, path = '', body?: unknown, at = NOON) =>
  request(method, `/api/admin/export-schedules${path}`, body, {}, { at })

export const getExport = async (id: string, at = NOON) =>
  (await getJson<ExportFile[]>('/api/admin/exports', { at, headers: { cookie } })).find((file) => file.id === id)!

export const downloadExport = (
  id: string,
  headers?: Record<string, string>,
  { method = 'GET', ...options }: RequestOptions & { method?: string } = {},
) => request(method, `/api/admin/exports/${id}/file`, undefined, headers, options)

/** `{ subject }` of each audit entry of an action, oldest first. */
export const auditEntries = async (action: string) =>
  (await env.DB.prepare('SELECT subject FROM audit_log WHERE action = ? ORDER BY id').bind(action).all()).results

/** The detail of the newest audit entry of an action. */
export const lastAuditDetail = async (action: string): Promise<unknown> =>
  JSON.parse(
    (await env.DB.prepare('SELECT detail FROM audit_log WHERE action = ? ORDER BY id DESC LIMIT 1')
      .bind(action)
      .first<string>('detail')) ?? 'null',
  )

/** Runs the queue consumer on one message; see `consumeMessages`. */
export const processExport = (body: unknown, options?: ConsumeOptions) =>
  consumeMessages(exportHandler, [body], options)

export const exportMessage = (id: string) => ({ kind: 'export', id })
