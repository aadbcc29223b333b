import { zValidator } from '@hono/zod-validator'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod/mini'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

/** Validates the JSON body. @throws AppError `bad_input` with the first issue's message. */
export function validateBody<S extends z.ZodMiniType>({ body }: { body: S }) {
  return zValidator('json', body, (result) => {
    if (!result.success) throw new AppError('bad_input', issueMessage(result.error.issues[0]))
  })
}

function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `That request contains an unknown field: ${toPrintable(issue.keys[0])}.`
  const message = issue?.message ?? ''
  // Messages of the contract are sentences; zod's own messages are fragments or start with 'Invalid'.
  const isFromContract = /^[A-Z].*[.!?]$/.test(message) && !message.startsWith('Invalid')
  return isFromContract ? message : `Something in that request is missing or invalid${issuePath(issue)}.`
}

const issuePath = (issue: z.core.$ZodIssue | undefined) =>
  issue?.path.length ? `: ${toPrintable(issue.path.join('.'))}` : ''

const toPrintable = (name: string | undefined) => (name ?? '').replace(/[^\w.-]/g, '').slice(0, 40)

/** Rejects control characters in any query parameter: SQLite ends a text at NUL, which breaks a quoted search. */
export const checkQuery = createMiddleware<AppEnv>(async (c, next) => {
  if (!c.req.url.includes('?')) return next()
  const values = Object.values(c.req.queries()).flat()
  if (values.some((value) => /[\u0000-\u001f\u007f]/.test(value)))
    throw new AppError('bad_input', 'That address contains a character that cannot be used.')
  await next()
})
