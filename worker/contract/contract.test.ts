import { expect, test } from 'vitest'
import { servedRoutes } from '../testing/client'
import { endpoints } from '.'

test('serves exactly the endpoints of the contract', () => {
  const names = (routes: readonly { method: string; path: string }[]) =>
    routes.map(({ method, path }) => `${method} ${path}`)
  expect(names(servedRoutes()).sort()).toEqual(names(endpoints).sort())
})
