import { Hono } from 'hono'
import { writeAuditUnlessRecent } from '../audit/audit'
import { type Master, type MasterState, type MasterUpload, mastersApi } from '../contract/masters'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { readFileBytes } from '../http/request-body'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { parseTrackId } from '../tracks/tracks'
import {
  cancelMasterUpload,
  completeMasterUpload,
  findMasterFile,
  readMasterState,
  receiveMasterPart,
  removeMaster,
  startMasterUpload,
} from './masters'

export const mastersRoutes = new Hono<AppEnv>()

mastersRoutes.get(mastersApi.state.path, async (c) =>
  c.json((await readMasterState(c.var.db, parseTrackId(c.req.param('id')))) satisfies MasterState),
)

mastersRoutes.get(mastersApi.download.path, async (c) => {
  const actor = await actorOf(c)
  const trackId = parseTrackId(c.req.param('id'))
  const { key, fileName } = await findMasterFile(c.var.db, trackId)
  const entry = { ...actor, action: 'master.downloaded', subject: `track:${trackId}` }
  const response = await sendStoredFile(c, key, { fileName })
  // Range requests are audited too: one that starts at the second byte downloads nearly the whole file.
  if (c.req.method === 'GET' && response.status !== 304) await writeAuditUnlessRecent(c.var.db, entry)
  return response
})

mastersRoutes.delete(mastersApi.remove.path, async (c) => {
  await removeMaster(depsOf(c), { trackId: parseTrackId(c.req.param('id')), ...(await actorOf(c)) })
  return c.body(null, 204)
})

mastersRoutes.post(mastersApi.start.path, validateBody(mastersApi.start), async (c) => {
  const trackId = parseTrackId(c.req.param('id'))
  const input = { trackId, file: c.req.valid('json'), ...(await actorOf(c)) }
  const upload = await startMasterUpload(depsOf(c), input)
  return c.json(upload satisfies MasterUpload, 201)
})

mastersRoutes.post(mastersApi.part.path, async (c) => {
  const { id, part } = c.req.param()
  await receiveMasterPart(depsOf(c), { id, part, bytes: readFileBytes(c, mastersApi.part), at: c.var.now() })
  return c.body(null, 204)
})

mastersRoutes.post(mastersApi.complete.path, async (c) => {
  const master = await completeMasterUpload(depsOf(c), { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.json(master satisfies Master)
})

mastersRoutes.delete(mastersApi.cancel.path, async (c) => {
  await cancelMasterUpload(depsOf(c), { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})
