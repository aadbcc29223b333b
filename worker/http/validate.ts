import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod/mini'
import { AppError } from '../lib/app-error'

/** Validates the JSON body. @throws AppError `bad_input` with the first issue's message. */
export function validateBody<S extends z.ZodMiniType>(endpoint: { body: S }) {
  return zValidator('json', endpoint.body, (result) => {
    if (!result.success) throw new AppError('bad_input', issueMessage(result.error.issues[0]))
  })
}

function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `That request holds a field we do not know: ${printable(issue.keys[0])}.`
  const message = issue?.message ?? ''
  return /^[A-Z].*[.!?]$/.test(message) && !message.startsWith('Invalid')
    ? message
    : `Something in that request is missing or not of the right kind${issuePath(issue)}.`
}

const issuePath = (issue: z.core.$ZodIssue | undefined) =>
  issue?.path.length ? `: ${printable(issue.path.join('.'))}` : ''
const printable = (name: string | undefined) => (name ?? '').replace(/[^\w.-]/g, '').slice(0, 40)
