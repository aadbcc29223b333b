import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { TIERS } from '../contract/site'
import { hasTierAccess, parseTierName, requireTrackAccess, tierAccessSql } from './tier-access'

test('opens exclusive tracks to silver and gold only', () => {
  for (const tier of [null, 'bronze'] as const)
    expect(() => requireTrackAccess(tier)).toThrow('This track is for Silver and Gold supporters.')
  for (const tier of ['silver', 'gold'] as const) expect(() => requireTrackAccess(tier)).not.toThrow()
})

test('compares tiers the same way in code and SQL', async () => {
  const cases = TIERS.flatMap((required) => [null, ...TIERS].map((tier) => ({ required, tier })))
  const open = cases.filter(({ required, tier }) => hasTierAccess(required, tier))
  expect(open.map(({ required, tier }) => `${required}: ${tier}`)).toEqual([
    'bronze: null',
    'bronze: bronze',
    'bronze: silver',
    'bronze: gold',
    'silver: silver',
    'silver: gold',
    'gold: gold',
  ])
  for (const { required, tier } of cases)
    expect(
      await env.DB.prepare(`SELECT ${tierAccessSql('?1', '?2')} AS opens`)
        .bind(required, tier)
        .first(),
      `${required}: ${tier}`,
    ).toEqual({ opens: Number(hasTierAccess(required, tier)) })
})

test('accepts free and vip as tier names', () => {
  expect((['free', 'bronze', 'silver', 'gold', 'vip'] as const).map(parseTierName)).toEqual([
    'bronze',
    'bronze',
    'silver',
    'gold',
    'gold',
  ])
})
