import { type Context, Hono } from 'hono'
import { recordDownload } from '../audit/record-download'
import {
  BALLOTS_FILE_NAME,
  type ExportColumns,
  type ExportFile,
  type ExportSchedule,
  exportsApi,
} from '../contract/exports'
import { readRecords } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { exportList } from './admin-list'
import { exportColumns } from './columns'
import { ensureBallotsCsv, redeemCsvLink, sendCsvLink } from './csv-links'
import { getExportFile, requestExport } from './exports'
import { listExportSchedules, removeExportSchedule, scheduleExport } from './schedules'

export const exportsRoutes = new Hono<AppEnv>()

exportsRoutes.post(exportsApi.request.path, rateLimit('LIMIT_WRITES'), validateBody(exportsApi.request), async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  const file = await requestExport(c.var.db, { ...c.req.valid('json'), actorId: userId, at: c.var.now() })
  // If this fails, the five-minute job sends the message again.
  await c.env.EXPORTS.send({ kind: 'export', id: file.id }).catch(() => undefined)
  return c.json(file satisfies ExportFile, 202)
})

exportsRoutes.get(exportsApi.list.path, async (c) =>
  sendPage(c, await readRecords(c.var.db, exportList(c.var.now()), parseListQuery(c))),
)

exportsRoutes.get(exportsApi.file.path, async (c) => {
  const id = c.req.param('id')
  const { key, fileName } = await getExportFile(c.var.db, { id, at: c.var.now() })
  const response = await sendStoredFile(c, key, { fileName })
  await recordDownload(c.var.db, {
    ...(await actorOf(c)),
    method: c.req.method,
    response,
    action: 'export.downloaded',
    subject: `export:${id}`,
  })
  return response
})

exportsRoutes.get(exportsApi.columns.path, (c) => c.json(exportColumns() satisfies ExportColumns[]))

exportsRoutes.get(exportsApi.schedules.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  return c.json((await listExportSchedules(c.var.db, userId)) satisfies ExportSchedule[])
})

exportsRoutes.post(
  exportsApi.schedule.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(exportsApi.schedule),
  async (c) => {
    const { userId } = await c.var.session.requireAdmin()
    const schedule = await scheduleExport(c.var.db, { ...c.req.valid('json'), actorId: userId, at: c.var.now() })
    return c.json(schedule satisfies ExportSchedule)
  },
)

exportsRoutes.delete(exportsApi.unschedule.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  await removeExportSchedule(c.var.db, { id: c.req.param('id'), actorId: userId, at: c.var.now() })
  return c.body(null, 204)
})

for (const { path } of [exportsApi.ballots, exportsApi.ballotsFile])
  exportsRoutes.get(path, async (c) => {
    const response = await sendStoredFile(c, await ballotsCsvKey(c), { fileName: BALLOTS_FILE_NAME })
    await recordDownload(c.var.db, {
      ...(await actorOf(c)),
      method: c.req.method,
      response,
      action: 'ballots.downloaded',
    })
    return response
  })

exportsRoutes.post(
  exportsApi.emailBallots.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(exportsApi.emailBallots),
  async (c) => {
    const sender = await c.var.session.requireAdmin()
    await sendCsvLink(depsOf(c), { sender, email: c.req.valid('json').email, at: c.var.now() })
    return c.json({ queued: true } as const)
  },
)

exportsRoutes.post(
  exportsApi.redeemLink.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(exportsApi.redeemLink),
  async (c) => {
    // Create the file before redeeming the link: a failure must not use up a download.
    const key = await ballotsCsvKey(c)
    await redeemCsvLink(depsOf(c), c.req.valid('json').token, c.var.now())
    return sendStoredFile(c, key, { fileName: BALLOTS_FILE_NAME })
  },
)

const ballotsCsvKey = (c: Context<AppEnv>) => ensureBallotsCsv(depsOf(c), c.var.now())
