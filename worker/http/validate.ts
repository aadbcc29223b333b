import { zValidator } from '@hono/zod-validator'
import type * as z from 'zod/mini'
import { Refused } from '../lib/refused'

/** Checks the JSON body against an endpoint's schema. The first issue's sentence is the answer: 400 `bad_input`. */
export function body<S extends z.ZodMiniType>(endpoint: { body: S }) {
  return zValidator('json', endpoint.body, (result) => {
    if (!result.success) throw new Refused('bad_input', sentence(result.error.issues[0]))
  })
}

function sentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `That request holds a field we do not know: ${printable(issue.keys[0])}.`
  const message = issue?.message ?? ''
  return /^[A-Z].*[.!?]$/.test(message) && !message.startsWith('Invalid')
    ? message
    : `Something in that request is missing or not of the right kind${where(issue)}.`
}

const where = (issue: z.core.$ZodIssue | undefined) =>
  issue?.path.length ? `: ${printable(issue.path.join('.'))}` : ''
const printable = (name: string | undefined) => (name ?? '').replace(/[^\w.-]/g, '').slice(0, 40)
