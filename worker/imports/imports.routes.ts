import { type Context, Hono } from 'hono'
import { recordDownload } from '../audit/record-download'
import { type Import, importsApi } from '../contract/imports'
import { readList, readRecords } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { readFileBytes } from '../http/request-body'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { contactList, importedSalesList, importList, reportedRowList, rowsOfImport } from './admin-list'
import { checkImport, discardImport, findReport, getImport, receiveImport, startImport, undoImport } from './imports'

export const importsRoutes = new Hono<AppEnv>()

/** The import of the path, the administrator who acts on it, and the current time. */
const importAction = async (c: Context<AppEnv>) => ({ id: c.req.param('id') ?? '', ...(await actorOf(c)) })

/** Sends the queue message of a started step, then responds 202. If sending fails, a five-minute job sends it again. */
async function sendAccepted(c: Context<AppEnv>, started: Import) {
  await c.env.EXPORTS.send({ kind: 'import', id: started.id, run: started.run }).catch(() => undefined)
  return c.json(started satisfies Import, 202)
}

importsRoutes.get(importsApi.list.path, async (c) =>
  sendPage(c, await readRecords(c.var.db, importList, parseListQuery(c))),
)

importsRoutes.post(importsApi.upload.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const { actorId, at } = await actorOf(c)
  const bytes = readFileBytes(c, importsApi.upload)
  return c.json(await receiveImport(depsOf(c), { bytes, name: c.req.query('name') ?? '', actorId, at }), 201)
})

importsRoutes.get(importsApi.contacts.path, async (c) =>
  sendPage(c, await readList(c.var.db, contactList, parseListQuery(c))),
)

importsRoutes.get(importsApi.sales.path, async (c) =>
  sendPage(c, await readList(c.var.db, importedSalesList, parseListQuery(c))),
)

importsRoutes.get(importsApi.read.path, async (c) => c.json(await getImport(c.var.db, c.req.param('id'))))

importsRoutes.post(importsApi.check.path, rateLimit('LIMIT_WRITES'), validateBody(importsApi.check), async (c) =>
  sendAccepted(c, await checkImport(c.var.db, await importAction(c), c.req.valid('json'))),
)

importsRoutes.post(importsApi.start.path, rateLimit('LIMIT_WRITES'), validateBody(importsApi.start), async (c) =>
  sendAccepted(c, await startImport(c.var.db, await importAction(c), c.req.valid('json').run)),
)

importsRoutes.post(importsApi.undo.path, rateLimit('LIMIT_WRITES'), async (c) =>
  sendAccepted(c, await undoImport(c.var.db, await importAction(c))),
)

importsRoutes.delete(importsApi.discard.path, rateLimit('LIMIT_WRITES'), async (c) => {
  await discardImport(depsOf(c), await importAction(c))
  return c.body(null, 204)
})

importsRoutes.get(importsApi.rows.path, async (c) => {
  const { id } = await getImport(c.var.db, c.req.param('id'))
  return sendPage(c, await readList(c.var.db, reportedRowList, parseListQuery(c), rowsOfImport(id)))
})

importsRoutes.get(importsApi.report.path, async (c) => {
  const { id } = await importAction(c)
  const { key, fileName } = await findReport(c.var.db, id)
  const response = await sendStoredFile(c, key, { fileName })
  await recordDownload(c.var.db, {
    ...(await actorOf(c)),
    method: c.req.method,
    response,
    action: 'import.report_downloaded',
    subject: `import:${id}`,
  })
  return response
})
