import { env } from 'cloudflare:test'

type OutboxRow = { kind: string; recipient: string; subject: string; text: string; html: string; headers: string }

/** Emails to an address, newest first. */
export async function emailsTo(address: string): Promise<OutboxRow[]> {
  const { results } = await env.DB.prepare(
    'SELECT * FROM outbox WHERE recipient = ? ORDER BY created_at DESC, rowid DESC',
  )
    .bind(address)
    .all<OutboxRow>()
  return results
}

/** The token or code in the newest email of this kind to the address. @throws Error if there is none. */
export async function tokenFromEmail(kind: string, address: string): Promise<string> {
  const text = (await emailsTo(address)).find((email) => email.kind === kind)?.text ?? ''
  const secret = /token=([\w.-]{43,})/.exec(text)?.[1] ?? /\n(\d{6})\n/.exec(text)?.[1]
  if (!secret) throw new Error(`No email of kind ${kind} to ${address}.`)
  return secret
}
