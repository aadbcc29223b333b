import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { type Crud, changeState, saveDraft, saveOrder } from '../audit/crud'
import { concertCrud } from '../concerts/admin-concerts'
import { announcementId } from '../concerts/show-alerts'
import { adminOverviewApi, type Overview } from '../contract/admin'
import {
  type AdminRelease,
  adminConcertsApi,
  adminProductsApi,
  adminReleasesApi,
  adminSiteApi,
  adminSocialPostsApi,
  adminTiersApi,
  adminTracksApi,
} from '../contract/admin-content'
import { adminMissionsApi } from '../contract/admin-missions'
import { adminSearchApi } from '../contract/admin-search'
import { type AdminLegalText, type AppearanceDraft, adminAppearanceApi } from '../contract/appearance'
import { adminDiscountsApi } from '../contract/discounts'
import type { Endpoint } from '../contract/endpoint'
import type { ListOrder } from '../contract/fields'
import { metricsApi } from '../contract/metrics'
import { pendingTasksApi } from '../contract/pending-tasks'
import type { Release } from '../contract/releases'
import { type Setup, setupApi } from '../contract/setup'
import { adminShopApi, adminTaxRatesApi, adminZonesApi } from '../contract/shop-settings'
import { type SystemStatus, systemApi } from '../contract/system'
import { readDayRange } from '../db/day-range'
import { readRecords } from '../db/list'
import { discountCrud } from '../discounts/admin-discounts'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { missionCrud } from '../missions/admin-missions'
import { productCrud } from '../products/admin-products'
import { getAdminRelease, previewRelease, releaseCrud } from '../releases/admin-releases'
import { trackCrud } from '../releases/admin-tracks'
import { taxRateCrud, zoneCrud } from '../shop-settings/admin-zones-and-tax-rates'
import { listLegalTexts, readAppearance, saveAppearance, saveLegalText } from '../site/admin-appearance'
import { getSiteDraft, saveSite } from '../site/admin-site'
import { socialPostCrud } from '../site/admin-social-posts'
import { tierCrud } from '../site/admin-tiers'
import { findAudioKeyForAdmin, parseTrackId } from '../tracks/tracks'
import { loadMetrics } from './metrics'
import { loadOverview } from './overview'
import { listPendingTasks } from './pending-tasks'
import { searchRecords } from './search'
import { readSetup, setSetupHidden } from './setup'
import { readSystemStatus } from './system'

export const adminRoutes = new Hono<AppEnv>()

type CrudEndpoints<S extends z.ZodMiniType> = {
  list?: Endpoint
  add?: Endpoint<string, S>
  update: Endpoint<string, S>
  remove?: Endpoint
  restore?: Endpoint
  reorder?: Endpoint<string, typeof ListOrder>
}

type CrudWithOptionalList<Draft> = Omit<Crud<Draft>, 'list'> & Partial<Pick<Crud<Draft>, 'list'>>

/** Serves `crud` at the given endpoints. `onAdded` runs after a record was added. */
function addCrudRoutes<S extends z.ZodMiniType>(
  endpoints: CrudEndpoints<S>,
  crud: CrudWithOptionalList<z.output<S>>,
  onAdded?: (c: Context<AppEnv>, id: string) => void,
): void {
  const { list, add, update, reorder } = endpoints
  const listAt = crud.list
  if (list && listAt)
    adminRoutes.get(list.path, async (c) =>
      sendPage(c, await readRecords(c.var.db, listAt(c.var.now()), parseListQuery(c))),
    )
  if (add)
    adminRoutes.post(add.path, validateBody(add), async (c) => {
      const draft = c.req.valid('json') as z.output<S>
      const id = await saveDraft(depsOf(c), crud, { draft, id: null }, await actorOf(c))
      onAdded?.(c, id)
      return c.json({ id }, 201)
    })
  adminRoutes.patch(update.path, validateBody(update), async (c) => {
    const draft = c.req.valid('json') as z.output<S>
    await saveDraft(depsOf(c), crud, { draft, id: c.req.param('id') ?? '' }, await actorOf(c))
    return c.body(null, 204)
  })
  if (reorder)
    adminRoutes.post(reorder.path, validateBody(reorder), async (c) => {
      await saveOrder(c.var.db, crud, c.req.valid('json').ids, await actorOf(c))
      return c.body(null, 204)
    })
  for (const action of ['remove', 'restore'] as const) {
    const endpoint = endpoints[action]
    const change = crud[action]
    if (endpoint && change)
      adminRoutes.on(endpoint.method, endpoint.path, async (c) => {
        await changeState(c.var.db, crud, change, c.req.param('id') ?? '', await actorOf(c))
        return c.body(null, 204)
      })
  }
}

addCrudRoutes(adminTracksApi, trackCrud)
addCrudRoutes(adminReleasesApi, releaseCrud)
addCrudRoutes(adminProductsApi, productCrud)
// Starts the announcement now instead of with the next five-minute job.
addCrudRoutes(adminConcertsApi, concertCrud, (c, id) => {
  const message = { kind: 'broadcast' as const, id: announcementId({ id }) }
  c.executionCtx.waitUntil(c.env.BROADCASTS.send(message).catch(() => undefined))
})
addCrudRoutes(adminTiersApi, tierCrud)
addCrudRoutes(adminSocialPostsApi, socialPostCrud)
addCrudRoutes({ ...adminZonesApi, reorder: adminShopApi.reorderZones }, zoneCrud)
addCrudRoutes(adminTaxRatesApi, taxRateCrud)
addCrudRoutes(adminDiscountsApi, discountCrud)
addCrudRoutes(adminMissionsApi, missionCrud)

adminRoutes.get(adminReleasesApi.release.path, async (c) =>
  c.json((await getAdminRelease(c.var.db, c.req.param('id'))) satisfies AdminRelease),
)
adminRoutes.get(adminReleasesApi.preview.path, async (c) =>
  c.json((await previewRelease(c.var.db, c.req.param('id'), c.var.now())) satisfies Release),
)
adminRoutes.get(adminTracksApi.audio.path, async (c) =>
  sendStoredFile(c, await findAudioKeyForAdmin(c.var.db, parseTrackId(c.req.param('id'))), {
    fileName: null,
    defaultType: 'audio/mpeg',
    noun: 'recording',
    notFoundMessage: 'This track has no recording yet.',
  }),
)

adminRoutes.get(adminSiteApi.site.path, async (c) => c.json(await getSiteDraft(c.var.db)))
adminRoutes.patch(adminSiteApi.updateSite.path, validateBody(adminSiteApi.updateSite), async (c) => {
  await saveSite(c.var.db, c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})

const appearanceApi = adminAppearanceApi
adminRoutes.get(appearanceApi.appearance.path, async (c) =>
  c.json((await readAppearance(c.var.db)) satisfies AppearanceDraft),
)
adminRoutes.patch(appearanceApi.updateAppearance.path, validateBody(appearanceApi.updateAppearance), async (c) => {
  await saveAppearance(c.var.db, c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})
adminRoutes.get(appearanceApi.legalTexts.path, async (c) =>
  c.json((await listLegalTexts(c.var.db)) satisfies AdminLegalText[]),
)
adminRoutes.patch(appearanceApi.updateLegalText.path, validateBody(appearanceApi.updateLegalText), async (c) => {
  await saveLegalText(c.var.db, c.req.param('id'), c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})

adminRoutes.get(adminOverviewApi.overview.path, async (c) =>
  c.json((await loadOverview(c.var.db, c.var.now())) satisfies Overview),
)

adminRoutes.get(metricsApi.metrics.path, async (c) =>
  c.json(await loadMetrics(c.var.db, await readDayRange(c.var.db, c.req.query(), c.var.now()))),
)

adminRoutes.get(pendingTasksApi.pendingTasks.path, async (c) => {
  const { teamRole } = await c.var.session.requireAdmin()
  return c.json(await listPendingTasks(c.var.db, teamRole, c.var.now()))
})

adminRoutes.get(setupApi.setup.path, async (c) => c.json((await readSetup(c.var.db, c.var.config)) satisfies Setup))
adminRoutes.patch(setupApi.changeSetup.path, validateBody(setupApi.changeSetup), async (c) => {
  await setSetupHidden(c.var.db, c.req.valid('json').isHidden, await actorOf(c))
  return c.body(null, 204)
})

adminRoutes.get(adminSearchApi.search.path, async (c) => {
  const { teamRole } = await c.var.session.requireAdmin()
  return c.json(await searchRecords(c.var.db, teamRole, c.req.query('q') ?? ''))
})

adminRoutes.get(systemApi.status.path, async (c) => {
  const status = await readSystemStatus(c.var.db, {
    origin: depsOf(c).origin,
    config: c.var.config,
    at: c.var.now(),
  })
  return c.json(status satisfies SystemStatus)
})
