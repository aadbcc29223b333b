import { expect, test } from 'vitest'
import { endpoints } from '../contract'
import { PERMISSIONS } from '../testing/permissions'
import { buildOpenApi } from './openapi'

test('names the success status of every endpoint', () => {
  const wrong = Object.entries(PERMISSIONS).flatMap(([route, { assurance: _, body: __, file: ___, ...statuses }]) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === route)!
    const actual = Object.values(statuses).filter((status) => typeof status === 'number' && status < 400)
    return actual.every((status) => status === endpoint.status) ? [] : [[route, actual[0]]]
  })
  expect(wrong).toEqual([])
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
