import type { Context } from 'hono'
import type { AppEnv } from './app-env'
import { siteOrigin } from './site-origin'

/** What the domain of list mail works with: the database, the secret that seals links, and what links begin with. */
export const newsletterDeps = (c: Context<AppEnv>) => ({
  db: c.var.db,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})
