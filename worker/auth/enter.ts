import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/site-origin'
import { visitorAddress } from '../http/visitor-address'
import { setSessionCookie } from './cookies'
import { knownDevice, rememberDevice } from './device'
import { whoGives } from './login'
import type { PersonRow } from './people'
import { closeSession, openSession } from './sessions'

/** Begins a supporter's session on this answer: a new token always, and the one that the browser had is dead. */
export async function enter(c: Context<AppEnv>, person: Pick<PersonRow, 'id' | 'epoch'>): Promise<void> {
  const before = await c.var.session.claim()
  const who = { userId: person.id, epoch: person.epoch }
  const { token } = await openSession(c.env.SESSIONS, 'supporter', who, c.var.now())
  if (before) await closeSession(c.env.DB, c.env.SESSIONS, before)
  setSessionCookie(c, 'supporter', token)
  await rememberDevice(c, person.id)
}

/** Tells who this request's name and password belong to, with its network and device. @throws as `whoGives`. */
export function identify(c: Context<AppEnv>, { username, password }: { username: string; password: string }) {
  return whoGives(
    { db: c.env.DB, secret: c.var.config.signingSecret },
    { name: username, password, network: visitorAddress(c), knownDevice: (userId) => knownDevice(c, userId) },
    c.var.now(),
  )
}

/** What the domain of accounts works with. */
export const houseOf = (c: Context<AppEnv>) => ({
  db: c.env.DB,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})
