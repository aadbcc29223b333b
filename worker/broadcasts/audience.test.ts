import { expect, test } from 'vitest'
import { queryPlan } from '../testing/fixtures'
import { recipientPageSql } from './audience'

test.each(['all', 'city', 'tier', 'alerts'] as const)('reads a page of audience %s by index', async (kind) => {
  const plan = (await queryPlan({ sql: recipientPageSql(kind), params: ['', '', 'gold'] })).join('\n')
  expect(plan).toMatch(/id>\?/)
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
})
