import { Hono } from 'hono'
import { type PollView, pollsApi } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { activePolls } from './polls'

export const pollsRoutes = new Hono<AppEnv>()

pollsRoutes.get(pollsApi.active.path, async (c) => {
  const polls = await activePolls(c.var.db, { claim: await c.var.session.reader(), at: c.var.now() })
  return c.json(polls satisfies PollView[])
})
