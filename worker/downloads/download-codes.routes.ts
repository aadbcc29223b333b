import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { renderSVG } from 'uqr'
import { writeAuditUnlessRecent } from '../audit/audit'
import { type CodeBatch, downloadCodesApi, type Redemption } from '../contract/download-codes'
import { readRecords } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { codeBatchList } from './admin-list'
import { addCodeBatch, type ListedCode, readCodes, redeemCode } from './download-codes'

export const downloadCodesRoutes = new Hono<AppEnv>()

downloadCodesRoutes.get(downloadCodesApi.batches.path, async (c) =>
  sendPage(c, await readRecords(c.var.db, codeBatchList, parseListQuery(c))),
)

downloadCodesRoutes.post(downloadCodesApi.addBatch.path, validateBody(downloadCodesApi.addBatch), async (c) => {
  const { actorId, at } = await actorOf(c)
  const batch = await addCodeBatch({ ...depsOf(c), at }, { draft: c.req.valid('json'), actorId })
  return c.json(batch satisfies CodeBatch, 201)
})

/** Reads the codes and writes an audit entry, at most one an hour. @throws AppError `not_found`. */
async function readCodesAudited(c: Context<AppEnv>, id: string) {
  const found = await readCodes(depsOf(c), id)
  await writeAuditUnlessRecent(c.var.db, { ...(await actorOf(c)), action: 'codes.read', subject: `codes:${id}` })
  return found
}

/** URL of the redemption page with the code filled in. */
const redeemUrl = (origin: string, code: string) => `${origin}/redeem?code=${code}`

downloadCodesRoutes.get(downloadCodesApi.csv.path, async (c) => {
  const id = c.req.param('id')
  const { codes } = await readCodesAudited(c, id)
  const { origin } = depsOf(c)
  // Codes and URLs of this site need no quotes.
  const rows = codes.map(({ code, isRedeemed }) => [code, redeemUrl(origin, code), isRedeemed ? 'yes' : 'no'].join(','))
  c.header('content-type', 'text/csv; charset=utf-8')
  c.header('content-disposition', `attachment; filename="download-codes-${id}.csv"`)
  return c.body(`\uFEFF${['code,link,redeemed', ...rows].join('\r\n')}\r\n`)
})

downloadCodesRoutes.get(downloadCodesApi.cards.path, async (c) => {
  const { batch, codes } = await readCodesAudited(c, c.req.param('id'))
  c.header('content-security-policy', `default-src 'none'; style-src ${await cspStyleSource()}; frame-ancestors 'none'`)
  return c.html(cardsPage(batch, codes, depsOf(c).origin))
})

downloadCodesRoutes.post(
  downloadCodesApi.redeem.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(downloadCodesApi.redeem),
  async (c) => {
    const userId = (await c.var.session.user())?.userId ?? null
    const downloads = await redeemCode({ ...depsOf(c), at: c.var.now() }, { ...c.req.valid('json'), userId })
    return c.json({ downloads, isInLibrary: userId !== null } satisfies Redemption)
  },
)

const CARDS_STYLE = `
  body { margin: 2rem; font: 16px/1.4 system-ui, sans-serif; color: #000; background: #fff }
  header { margin-bottom: 6mm }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(85mm, 1fr)); gap: 4mm; margin: 0; padding: 0; list-style: none }
  li { display: grid; grid-template-columns: 32mm 1fr; gap: 5mm; align-items: center; padding: 5mm; border: 1px dashed #767676; break-inside: avoid }
  svg { display: block; width: 32mm; height: 32mm }
  h2 { margin: 0 0 2mm; font-size: 1.05rem; line-height: 1.2; overflow-wrap: anywhere }
  p { margin: 0; font-size: .85rem }
  .code { margin: 2mm 0; font: 700 .95rem ui-monospace, monospace; white-space: nowrap }
  @media print { body { margin: 0 } header { display: none } }
`

/** The Content-Security-Policy source that allows CARDS_STYLE. */
async function cspStyleSource(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(CARDS_STYLE))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

/** Printable cards of the codes that are not redeemed yet. */
function cardsPage(batch: CodeBatch, codes: readonly ListedCode[], origin: string) {
  const unusedCodes = codes.filter(({ isRedeemed }) => !isRedeemed)
  const address = `${new URL(origin).host}/redeem`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${batch.name}: download cards</title>
        ${raw(`<style>${CARDS_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>${batch.name}</h1>
          <p>${unusedCodes.length} cards with unused codes. Print this page from your browser’s menu.</p>
        </header>
        <main>
          <ul>
            ${unusedCodes.map(
              ({ code }) =>
                html`<li>
                  <div>${raw(renderSVG(redeemUrl(origin, code), { border: 0 }))}</div>
                  <div>
                    <h2>${batch.title}</h2>
                    <p>Your download</p>
                    <p class="code">${code}</p>
                    <p>Scan, or enter the code at ${address}</p>
                  </div>
                </li>`,
            )}
          </ul>
        </main>
      </body>
    </html>`
}
