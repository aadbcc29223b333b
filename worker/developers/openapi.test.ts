import { expect, test } from 'vitest'
import { auditList } from '../audit/admin-list'
import { broadcastList } from '../broadcasts/admin-list'
import { flaggedBallotList, submissionList } from '../challenge/admin-list'
import { exclusivePostList, moderatedPostList } from '../community/admin-list'
import { cityRequestList, concertList } from '../concerts/admin-list'
import { endpoints } from '../contract'
import type { ListDefinition } from '../db/list'
import { discountList } from '../discounts/admin-list'
import { codeBatchList } from '../downloads/admin-list'
import { emailList, suppressionList } from '../email/admin-list'
import { exportList } from '../exports/admin-list'
import { inquiryList } from '../gdpr/admin-list'
import { contactList, importedSalesList, importList, reportedRowList } from '../imports/admin-list'
import { missionList } from '../missions/admin-list'
import { subscriberList } from '../newsletter/admin-list'
import { orderList } from '../orders/admin-list'
import { pointsEntryList } from '../points/admin-list'
import { pollList } from '../polls/admin-list'
import { productList } from '../products/admin-list'
import { releaseList } from '../releases/admin-list'
import { taxRateList, zoneList } from '../shop-settings/admin-list'
import { socialPostList } from '../site/admin-list'
import { PERMISSIONS } from '../testing/permissions'
import { NOON } from '../testing/seed'
import { trackList } from '../tracks/admin-list'
import { supporterList } from '../users/admin-list'
import { buildOpenApi } from './openapi'

test('names the success status of every endpoint', () => {
  const wrong = Object.entries(PERMISSIONS).flatMap(([route, { assurance: _, body: __, file: ___, ...statuses }]) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === route)!
    const actual = Object.values(statuses).filter((status) => typeof status === 'number' && status < 400)
    return actual.every((status) => status === endpoint.status) ? [] : [[route, actual[0]]]
  })
  expect(wrong).toEqual([])
})

/** The path of each list of the dashboard, and how the list is read. */
const LISTS: Readonly<
  Record<string, Pick<ListDefinition<never, never>, 'filters'> & { search?: unknown; load?: unknown }>
> = {
  '/api/admin/audit': auditList,
  '/api/admin/broadcasts': broadcastList,
  '/api/admin/challenges/:id/flags': flaggedBallotList,
  '/api/admin/challenges/:id/submissions': submissionList(1),
  '/api/admin/city-demand': cityRequestList,
  '/api/admin/community/posts': moderatedPostList(false),
  '/api/admin/concerts': concertList(NOON),
  '/api/admin/contacts': contactList,
  '/api/admin/discounts': discountList(NOON),
  '/api/admin/download-codes': codeBatchList,
  '/api/admin/exports': exportList(NOON),
  '/api/admin/imported-sales': importedSalesList,
  '/api/admin/imports': importList,
  '/api/admin/imports/:id/rows': reportedRowList,
  '/api/admin/mail': emailList,
  '/api/admin/mail-stops': suppressionList,
  '/api/admin/missions': missionList,
  '/api/admin/newsletter': subscriberList,
  '/api/admin/orders': orderList(NOON),
  '/api/admin/polls': pollList(NOON),
  '/api/admin/posts': exclusivePostList,
  '/api/admin/privacy/inquiries': inquiryList(NOON),
  '/api/admin/products': productList(NOON),
  '/api/admin/releases': releaseList(NOON),
  '/api/admin/shipping-zones': zoneList,
  '/api/admin/social-posts': socialPostList,
  '/api/admin/supporters': supporterList,
  '/api/admin/supporters/:id/points': pointsEntryList,
  '/api/admin/tax-rates': taxRateList,
  '/api/admin/tracks': trackList(NOON),
  '/api/verse-submissions': submissionList(1),
}

test.each(Object.entries(LISTS))('documents the query of %s', (path, { filters, search, load }) => {
  // A list with `load` also finds one record by its id.
  const names = new Set([...(search ? ['q'] : []), 'sort', 'cursor', ...(load ? ['id'] : []), ...Object.keys(filters)])
  const endpoint = endpoints.find((candidate) => candidate.method === 'GET' && candidate.path === path)
  expect([...(endpoint?.query ?? [])].sort()).toEqual([...names].sort())
})

type Operation = { operationId: string; tags: string[]; security: object[] }

test('describes every endpoint but the demo’s under unique ids', () => {
  const { paths } = buildOpenApi('https://fan.example') as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, key: `${method} ${path}` })),
  )
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const expected = endpoints
    .filter(({ path }) => !/^\/api\/(demo|test-payments)\//.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(operations.map(({ key }) => key).sort()).toEqual(expected.sort())
  const withoutSecurity = operations.filter(({ security }) => security.length === 0).map(({ key }) => key)
  expect(withoutSecurity).toContain('get /api/tracks')
  expect(withoutSecurity.filter((key) => key.includes('/api/admin/') && !/log(in|out)/.test(key))).toEqual([])
})
