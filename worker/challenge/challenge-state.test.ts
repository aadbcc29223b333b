import { expect, test } from 'vitest'
import { DAYS_2025 } from '../testing/fixtures'
import { startedDays, stateOf, timestampsOf } from './challenge-state'

const instants = timestampsOf(DAYS_2025, 'America/New_York')
const stages = { ...instants, sealedAt: null, ballotsSha256: null, opensByHand: 0, named: 7 } as const

test('first days begin at midnight where the artist lives, last days end with it', () => {
  expect(Object.values(instants).map((at) => new Date(at).toISOString())).toEqual([
    '2025-07-02T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
  ])
  // A night on which the clocks go forward is an hour shorter.
  const march = timestampsOf({ ...DAYS_2025, votingFrom: '2026-03-08', votingUntil: '2026-03-08' }, 'America/New_York')
  expect(march.votingClosesAt - march.votingOpensAt).toBe(23 * 60 * 60 * 1000)
})

test.each([
  [instants.submissionsOpenAt - 1, 'announced'],
  [instants.submissionsOpenAt, 'submissions'],
  [instants.submissionsCloseAt - 1, 'submissions'],
  [instants.votingOpensAt, 'voting'],
  [instants.votingClosesAt - 1, 'voting'],
  [instants.votingClosesAt, 'closed'],
  [instants.votingClosesAt + 1e12, 'closed'],
] as const)('at %i it is %s', (at, state) => {
  expect(stateOf(stages, at)).toBe(state)
})

test('between verses and votes the finalists are named, and without two of them voting does not open', () => {
  const later = { ...stages, votingOpensAt: instants.submissionsCloseAt + 1000 }
  expect(stateOf(later, instants.submissionsCloseAt)).toBe('finalists')
  for (const at of [instants.votingOpensAt, instants.votingClosesAt + 1])
    for (const held of [{ named: 1 }, { opensByHand: 1 }] as const)
      expect(stateOf({ ...stages, ...held }, at)).toBe('finalists')
})

test('it is published once it is counted and the winner’s day is over, not by one of them', () => {
  const sealed = { ...stages, sealedAt: instants.votingClosesAt }
  const counted = { ...sealed, ballotsSha256: 'abc' }
  const later = { ...counted, publishAt: instants.publishAt + 1000 }
  expect(stateOf(sealed, instants.publishAt)).toBe('closed')
  expect(stateOf(later, instants.publishAt)).toBe('closed')
  expect(stateOf(counted, instants.publishAt)).toBe('published')
})

test('a day that has begun is fixed, and none before', () => {
  expect(startedDays(stages, instants.submissionsOpenAt - 1)).toEqual([])
  expect(startedDays(stages, instants.submissionsOpenAt)).toEqual(['submissionsFrom'])
  expect(startedDays(stages, instants.votingOpensAt)).toEqual([
    'submissionsFrom',
    'submissionsUntil',
    'finalistsOn',
    'votingFrom',
  ])
  expect(startedDays({ ...stages, named: 1 }, instants.votingOpensAt)).not.toContain('votingFrom')
})
