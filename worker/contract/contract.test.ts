import { expect, test } from 'vitest'
import { servedRoutes } from '../testing/client'
import { contract } from '.'

test('what is served is what was promised, route by route', () => {
  const promised = Object.values(contract).flatMap((api) => Object.values(api))
  const names = (rows: readonly { method: string; path: string }[]) => rows.map((row) => `${row.method} ${row.path}`)
  expect(names(servedRoutes()).sort()).toEqual(names(promised).sort())
})
