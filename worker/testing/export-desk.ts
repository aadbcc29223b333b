import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test'
import type { Env } from '../config'
import { type ExportFile, ExportFile as Shape } from '../contract/exports'
import { consumeExports } from '../exports/consume'
import type { Millis } from '../lib/clock'
import { read, send } from './client'
import { fullHouse } from './full-house'
import { NOON } from './furnish'
import { cookiesOf } from './roles'

type More = { at?: Millis; env?: Partial<Env> }
let cookie = ''
/** A furnished house and an administrator, logged in at noon, who asks for exports. */
export async function openExportDesk(): Promise<void> {
  await fullHouse()
  cookie = await cookiesOf('administrator')
}

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, more: More = {}) =>
  send(method, path, body, { at: NOON, ...more, headers: { cookie, ...headers } })
export const wanted = async (kind: string): Promise<ExportFile> =>
  Shape.parse(await (await ask('POST', '/api/admin/exports', { kind })).json())
export const state = async (id: string, at = NOON) =>
  (await read<ExportFile[]>('/api/admin/exports', { at, headers: { cookie } })).find((file) => file.id === id)!
export const fileOf = (
  id: string,
  headers?: Record<string, string>,
  { method = 'GET', ...more }: More & { method?: string } = {},
) => ask(method, `/api/admin/exports/${id}/file`, undefined, headers, more)
export const audited = async (action: string) =>
  (await env.DB.prepare('SELECT subject FROM audit_log WHERE action = ? ORDER BY id').bind(action).all()).results

/** Hands the queue's message to the worker at an instant, with some of its bindings replaced; the clock goes on by `every`. */
export async function work(
  body: unknown,
  { at = NOON, every = 0, ...replaced }: { at?: number; every?: number } & Partial<typeof env> = {},
) {
  const batch = createMessageBatch('artist-house-exports', [
    { id: 'm', timestamp: new Date(at), attempts: 1, body },
  ] as never)
  const context = createExecutionContext()
  let looked = 0
  await consumeExports(batch, { ...env, ...replaced }, () => at + every * looked++)
  return getQueueResult(batch, context)
}
export const message = (id: string) => ({ kind: 'export', id })
