import { expect, test } from 'vitest'
import { planOf } from '../testing/rows'
import { pageOf } from './audience'

test.each(['all', 'city', 'tier', 'alerts'] as const)(
  'a page of the audience %s is read along an index',
  async (kind) => {
    const plan = (await planOf({ sql: pageOf(kind), params: ['', '', 'gold'] })).join('\n')
    expect(plan).toMatch(/id>\?/)
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
  },
)
