import { expect, test } from 'vitest'
import { ROUTE_GROUPS, routeGroupOf } from '../app'
import { fillPath, servedRoutes } from '../testing/client'
import { endpoints } from '.'

const names = (routes: readonly { method: string; path: string }[]) =>
  routes.map(({ method, path }) => `${method} ${path}`)

test('serves exactly the endpoints of the contract', () => {
  expect(names(servedRoutes()).sort()).toEqual(names(endpoints).sort())
})

test('the route group of each path serves its endpoints', async () => {
  for (const endpoint of endpoints) {
    const group = await ROUTE_GROUPS[routeGroupOf(fillPath(endpoint.path, 'one'))]()
    const [name] = names([endpoint])
    expect(names(group.endpoints)).toContain(name)
    expect(names(group.routes.flatMap((feature) => feature.routes))).toContain(name)
  }
})
