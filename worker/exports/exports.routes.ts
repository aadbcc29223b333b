import { type Context, Hono } from 'hono'
import { writeDown } from '../audit/audit'
import { houseOf } from '../auth/enter'
import { type ExportFile, exportsApi } from '../contract/exports'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { limited } from '../http/rate-limit'
import { storedFile } from '../http/stored-file'
import { body } from '../http/validate'
import { ballotsKey } from './ballots'
import { mailCsvLink, redeemCsvLink } from './csv-links'
import { exportKey, exportsAskedFor, requestExport } from './exports'

export const exportsRoutes = new Hono<AppEnv>()

exportsRoutes.post(exportsApi.request.path, limited('LIMIT_WRITES'), body(exportsApi.request), async (c) => {
  const { userId } = await c.var.session.administrator()
  const { kind } = c.req.valid('json')
  const file = await requestExport(c.env.DB, { kind, actorId: userId, at: c.var.now() })
  // Where the queue does not take it, the sweep tells it again.
  await c.env.EXPORTS.send({ kind: 'export', id: file.id }).catch(() => undefined)
  return c.json(file satisfies ExportFile, 202)
})

exportsRoutes.get(exportsApi.list.path, async (c) => {
  const { files, next } = await exportsAskedFor(c.env.DB, { ...asked(c), at: c.var.now() })
  leadOn(c, next)
  return c.json(files satisfies ExportFile[])
})

exportsRoutes.get(exportsApi.file.path, async (c) => {
  const id = c.req.param('id')
  const key = await exportKey(c.env.DB, { id, at: c.var.now() })
  const answer = await storedFile(c, key, { fileName: `${id}.csv` })
  await downloaded(c, answer, 'export.downloaded', `export:${id}`)
  return answer
})

for (const { path } of [exportsApi.ballots, exportsApi.ballotsFile])
  exportsRoutes.get(path, async (c) => {
    const answer = await storedFile(c, await ballots(c), { fileName: BALLOTS_NAME })
    await downloaded(c, answer, 'ballots.downloaded')
    return answer
  })

exportsRoutes.post(exportsApi.emailBallots.path, limited('LIMIT_MAIL'), body(exportsApi.emailBallots), async (c) => {
  const sender = await c.var.session.administrator()
  await mailCsvLink(houseOf(c), { sender, email: c.req.valid('json').email, at: c.var.now() })
  return c.json({ queued: true } as const)
})

exportsRoutes.post(exportsApi.redeemLink.path, limited('LIMIT_WRITES'), body(exportsApi.redeemLink), async (c) => {
  // The file first: a use that brought nothing would be lost.
  const key = await ballots(c)
  await redeemCsvLink(houseOf(c), c.req.valid('json').token, c.var.now())
  return storedFile(c, key, { fileName: BALLOTS_NAME })
})

const BALLOTS_NAME = 'complete_994_votes.csv'
const ballots = (c: Context<AppEnv>) => ballotsKey({ db: c.var.db, files: c.env.FILES }, c.var.now())

/** Who fetched what, once a download: parts that follow the first, and what was held already, are no other one. */
async function downloaded(c: Context<AppEnv>, answer: Response, action: string, subject?: string) {
  const begins = answer.status === 200 || /^bytes 0-/.test(answer.headers.get('content-range') ?? '')
  if (c.req.method !== 'GET' || !begins) return
  const { userId } = await c.var.session.administrator()
  await writeDown(c.env.DB, { actorId: userId, action, subject, at: c.var.now() })
}
