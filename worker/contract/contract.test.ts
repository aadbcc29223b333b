import { expect, test } from 'vitest'
import { servedRoutes } from '../testing/client'
import { endpoints } from '.'

test('serves exactly the endpoints of the contract', () => {
  const names = (rows: readonly { method: string; path: string }[]) => rows.map((row) => `${row.method} ${row.path}`)
  expect(names(servedRoutes()).sort()).toEqual(names(endpoints).sort())
})
