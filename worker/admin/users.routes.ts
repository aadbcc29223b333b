import { Hono } from 'hono'
import { adminUsersApi, teamApi } from '../contract/admin'
import { type SupporterDetails, supporterPageApi } from '../contract/supporter-page'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { validateBody } from '../http/validate'
import { adjustPoints } from '../points/points'
import { excludeVotes, includeVotes } from '../polls/exclude-votes'
import { notifyWatchers } from '../polls/polls.routes'
import { unknownUserError } from '../users/admin-list'
import { addNote, removeNote } from './supporter-notes'
import { logOutSupporter, readSupporterDetails, revealSupporter } from './supporter-page'
import { banSupporter, eraseSupporter, unbanSupporter } from './supporters'
import { addTeamMember, changeTeamRole, listTeam, removeTeamMember } from './team'

export const adminUsersRoutes = new Hono<AppEnv>()

/** The user id in a path. @throws AppError `not_found`. */
export function parseUserId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unknownUserError()
  return Number(text)
}

adminUsersRoutes.post(adminUsersApi.ban.path, validateBody(adminUsersApi.ban), async (c) => {
  await banSupporter(c.var.db, parseUserId(c.req.param('id')), c.req.valid('json').reason, await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.post(adminUsersApi.unban.path, async (c) => {
  await unbanSupporter(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
for (const { path, change } of [
  { path: adminUsersApi.excludeVotes.path, change: excludeVotes },
  { path: adminUsersApi.includeVotes.path, change: includeVotes },
])
  adminUsersRoutes.post(path, async (c) => {
    for (const pollId of await change(c.var.db, parseUserId(c.req.param('id')), await actorOf(c)))
      notifyWatchers(c, pollId)
    return c.body(null, 204)
  })
adminUsersRoutes.delete(adminUsersApi.erase.path, async (c) => {
  await eraseSupporter(depsOf(c), parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.get(supporterPageApi.supporter.path, async (c) =>
  c.json((await readSupporterDetails(c.var.db, parseUserId(c.req.param('id')))) satisfies SupporterDetails),
)
adminUsersRoutes.post(supporterPageApi.reveal.path, async (c) =>
  c.json(await revealSupporter(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))),
)
adminUsersRoutes.post(supporterPageApi.adjustPoints.path, validateBody(supporterPageApi.adjustPoints), async (c) => {
  const adjustment = { ...c.req.valid('json'), userId: parseUserId(c.req.param('id')), ...(await actorOf(c)) }
  return c.json(await adjustPoints(c.var.db, adjustment))
})
adminUsersRoutes.post(supporterPageApi.addNote.path, validateBody(supporterPageApi.addNote), async (c) => {
  const note = { ...c.req.valid('json'), userId: parseUserId(c.req.param('id')), ...(await actorOf(c)) }
  return c.json(await addNote(c.var.db, note), 201)
})
adminUsersRoutes.delete(supporterPageApi.removeNote.path, async (c) => {
  await removeNote(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})
adminUsersRoutes.post(supporterPageApi.logOut.path, async (c) => {
  await logOutSupporter(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.get(teamApi.members.path, async (c) => c.json(await listTeam(c.var.db)))
adminUsersRoutes.post(teamApi.add.path, validateBody(teamApi.add), async (c) => {
  await addTeamMember(depsOf(c), c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.patch(teamApi.changeRole.path, validateBody(teamApi.changeRole), async (c) => {
  const change = { id: parseUserId(c.req.param('id')), ...c.req.valid('json') }
  await changeTeamRole(c.var.db, change, await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.delete(teamApi.remove.path, async (c) => {
  await removeTeamMember(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
