import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env'

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/

/** True where plain http is right: on this machine, and in a demo, which somebody may show on their own network. */
export function allowsPlainHttp(c: Context<AppEnv>): boolean {
  return c.var.config.demo || LOCAL_HOST.test(new URL(c.req.url).hostname)
}

/** Leads every request in plain text to https before anything is read of it or said to it. */
export const redirectToHttps = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.startsWith('https:') || allowsPlainHttp(c)) return next()
  const url = new URL(c.req.url)
  url.protocol = 'https:'
  return c.redirect(url.href, 308)
})
