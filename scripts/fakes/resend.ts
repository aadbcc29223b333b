import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { listenOnLoopback } from '../tools/ports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    resendUrl: string
  }
}

type ResendRequest = { path: string; authorization?: string; key: string; body: { to: string[] } & object }

/**
 * A fake Resend API on loopback (resend.com/docs/api-reference/emails/send-email): a repeated idempotency key gets the
 * first response, or 409 if the body differs. GET returns the requests received.
 */
function startFakeResend() {
  const requests: ResendRequest[] = []
  const acceptedByKey = new Map<string, { id: string; body: string }>()
  const reply = (response: ServerResponse, status: number, body: object, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return reply(response, 200, requests)
    const { authorization, 'idempotency-key': key } = request.headers
    const body = (await json(request)) as ResendRequest['body']
    requests.push({ path: request.url ?? '', ...(authorization && { authorization }), key: String(key), body })
    // The local part of the first recipient names a fault; faults after acceptance happen once per key, others always.
    const fault = body.to[0]?.split('@')[0] ?? ''
    // Such as `status-429-after-7`: the status, and the seconds of Retry-After.
    const [, status, seconds] = /^status-(\d+)(?:-after-(\d+))?$/.exec(fault) ?? []
    if (status) return reply(response, Number(status), { name: 'some_error' }, seconds && { 'retry-after': seconds })
    if (fault === 'drops-before-accepting') return request.socket.destroy()
    if (fault === 'responds-with-html') return response.writeHead(502).end('<h1>Bad gateway</h1>')
    if (fault === 'redirects') return response.writeHead(307, { location: '/elsewhere' }).end()
    const text = JSON.stringify(body)
    const accepted = acceptedByKey.get(String(key))
    if (accepted && accepted.body !== text) return reply(response, 409, { name: 'invalid_idempotent_request' })
    const email = accepted ?? { id: `email-${acceptedByKey.size + 1}`, body: text }
    acceptedByKey.set(String(key), email)
    if (!accepted && fault === 'drops-after-accepting') return request.socket.destroy()
    if (!accepted && fault === 'drops-within-response') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id"')
      return setTimeout(() => request.socket.destroy(), 50)
    }
    return reply(response, 200, { id: email.id })
  })
  return listenOnLoopback(server)
}

let resend: Awaited<ReturnType<typeof startFakeResend>> | undefined

/** Vitest's global setup of the workers project, with `teardown`. */
export async function setup(project: TestProject): Promise<void> {
  resend = await startFakeResend()
  project.provide('resendUrl', resend.url)
}
export const teardown = () => resend?.close()
