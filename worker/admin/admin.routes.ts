import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { type Crud, changeState, saveDraft, saveOrder } from '../audit/crud'
import { announcementId } from '../concerts/show-alerts'
import { adminOverviewApi, type Overview } from '../contract/admin'
import { type AdminRelease, adminContentApi, adminMissionsApi, adminSiteContentApi } from '../contract/admin-content'
import { adminSearchApi } from '../contract/admin-search'
import { type AdminLegalText, type AppearanceDraft, adminAppearanceApi } from '../contract/appearance'
import { archivesApi, type SystemStatus } from '../contract/archives'
import { adminDiscountsApi } from '../contract/discounts'
import type { Endpoint } from '../contract/endpoint'
import type { RecordOrder } from '../contract/fields'
import { metricsApi } from '../contract/metrics'
import { pendingTasksApi } from '../contract/pending-tasks'
import type { Release } from '../contract/releases'
import { type Setup, setupApi } from '../contract/setup'
import { adminShopApi } from '../contract/shop-settings'
import { readDayRange } from '../db/day-range'
import { readRecords } from '../db/list'
import { discountCrud } from '../discounts/admin-discounts'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { taxRateCrud, zoneCrud } from '../shop-settings/admin-settings'
import { parseTrackId } from '../tracks/tracks'
import { listLegalTexts, readAppearance, saveAppearance, saveLegalText } from './appearance'
import { concertCrud, getSite, missionCrud, saveSite, socialPostCrud, tierCrud } from './content'
import { loadMetrics } from './metrics'
import { findTrackAudioKey, getAdminRelease, previewRelease, releaseCrud, trackCrud } from './music'
import { loadOverview } from './overview'
import { listPendingTasks } from './pending-tasks'
import { productCrud } from './products'
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
  order?: Endpoint<string, typeof RecordOrder>
}

function crudRoutes<S extends z.ZodMiniType>(
  endpoints: CrudEndpoints<S>,
  crud: Omit<Crud<z.output<S>>, 'list'> & Partial<Pick<Crud<z.output<S>>, 'list'>>,
  onAdded?: (c: Context<AppEnv>, id: string) => void,
): void {
  const { list, add, update, order } = endpoints
  const read = crud.list
  if (list && read)
    adminRoutes.get(list.path, async (c) =>
      sendPage(c, await readRecords(c.var.db, read(c.var.now()), parseListQuery(c))),
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
  if (order)
    adminRoutes.post(order.path, validateBody(order), async (c) => {
      await saveOrder(c.var.db, crud, c.req.valid('json').ids, await actorOf(c))
      return c.body(null, 204)
    })
  for (const action of ['remove', 'restore'] as const) {
    const [endpoint, change] = [endpoints[action], crud[action]]
    if (endpoint && change)
      adminRoutes.on(endpoint.method, endpoint.path, async (c) => {
        await changeState(c.var.db, crud, change, c.req.param('id') ?? '', await actorOf(c))
        return c.body(null, 204)
      })
  }
}

const content = adminContentApi
crudRoutes(
  {
    list: content.tracks,
    add: content.addTrack,
    update: content.updateTrack,
    remove: content.removeTrack,
    restore: content.restoreTrack,
    order: content.orderTracks,
  },
  trackCrud,
)
crudRoutes(
  {
    list: content.releases,
    add: content.addRelease,
    update: content.updateRelease,
    remove: content.removeRelease,
    restore: content.restoreRelease,
  },
  releaseCrud,
)
adminRoutes.get(content.release.path, async (c) =>
  c.json((await getAdminRelease(c.var.db, c.req.param('id'))) satisfies AdminRelease),
)
adminRoutes.get(content.previewRelease.path, async (c) =>
  c.json((await previewRelease(c.var.db, c.req.param('id'), c.var.now())) satisfies Release),
)
adminRoutes.get(content.trackAudio.path, async (c) =>
  sendStoredFile(c, await findTrackAudioKey(c.var.db, parseTrackId(c.req.param('id'))), {
    fileName: null,
    defaultType: 'audio/mpeg',
    noun: 'recording',
    notFoundMessage: 'This track has no recording yet.',
  }),
)
crudRoutes(
  {
    list: content.products,
    add: content.addProduct,
    update: content.updateProduct,
    remove: content.removeProduct,
    restore: content.restoreProduct,
    order: content.orderProducts,
  },
  productCrud,
)
crudRoutes(
  {
    list: content.concerts,
    add: content.addConcert,
    update: content.updateConcert,
    remove: content.removeConcert,
    restore: content.restoreConcert,
  },
  concertCrud,
  // Starts the announcement now instead of with the next scheduled job.
  (c, id) => {
    const message = { kind: 'broadcast' as const, id: announcementId({ id }) }
    c.executionCtx.waitUntil(c.env.BROADCASTS.send(message).catch(() => undefined))
  },
)

const siteContent = adminSiteContentApi
crudRoutes({ list: siteContent.tiers, update: siteContent.changeTier }, tierCrud)
crudRoutes(
  {
    list: siteContent.posts,
    add: siteContent.addPost,
    update: siteContent.updatePost,
    remove: siteContent.removePost,
    restore: siteContent.restorePost,
    order: siteContent.orderPosts,
  },
  socialPostCrud,
)

const shop = adminShopApi
crudRoutes(
  {
    list: shop.zones,
    add: shop.addZone,
    update: shop.updateZone,
    remove: shop.removeZone,
    restore: shop.restoreZone,
    order: shop.orderZones,
  },
  zoneCrud,
)
crudRoutes(
  {
    list: shop.taxRates,
    add: shop.addTaxRate,
    update: shop.updateTaxRate,
    remove: shop.removeTaxRate,
    restore: shop.restoreTaxRate,
  },
  taxRateCrud,
)

const discounts = adminDiscountsApi
crudRoutes(
  {
    add: discounts.addDiscount,
    update: discounts.updateDiscount,
    remove: discounts.removeDiscount,
    restore: discounts.restoreDiscount,
  },
  discountCrud,
)

const missions = adminMissionsApi
crudRoutes(
  {
    list: missions.missions,
    add: missions.addMission,
    update: missions.updateMission,
    remove: missions.endMission,
    restore: missions.resumeMission,
    order: missions.orderMissions,
  },
  missionCrud,
)

adminRoutes.get(content.site.path, async (c) => c.json(await getSite(c.var.db)))
adminRoutes.patch(content.updateSite.path, validateBody(content.updateSite), async (c) => {
  await saveSite(c.var.db, c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})

const appearance = adminAppearanceApi
adminRoutes.get(appearance.appearance.path, async (c) =>
  c.json((await readAppearance(c.var.db)) satisfies AppearanceDraft),
)
adminRoutes.patch(appearance.updateAppearance.path, validateBody(appearance.updateAppearance), async (c) => {
  await saveAppearance(c.var.db, c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})
adminRoutes.get(appearance.legalTexts.path, async (c) =>
  c.json((await listLegalTexts(c.var.db)) satisfies AdminLegalText[]),
)
adminRoutes.patch(appearance.updateLegalText.path, validateBody(appearance.updateLegalText), async (c) => {
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

adminRoutes.get(archivesApi.status.path, async (c) => {
  const status = await readSystemStatus(c.var.db, {
    origin: depsOf(c).origin,
    config: c.var.config,
    at: c.var.now(),
  })
  return c.json(status satisfies SystemStatus)
})
