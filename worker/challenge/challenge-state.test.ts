import { expect, test } from 'vitest'
import { DAYS_2025 } from '../testing/fixtures'
import { startedDays, stateOf, timestampsOf } from './challenge-state'

const instants = timestampsOf(DAYS_2025, 'America/New_York')
const stages = { ...instants, sealedAt: null, ballotsSha256: null, opensByHand: 0, named: 7 } as const

test('computes day boundaries in the time zone of the artist', () => {
  expect(Object.values(instants).map((at) => new Date(at).toISOString())).toEqual([
    '2025-07-02T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
  ])
  // The night of the daylight saving change has 23 hours.
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

test('does not open voting with fewer than two finalists', () => {
  const later = { ...stages, votingOpensAt: instants.submissionsCloseAt + 1000 }
  expect(stateOf(later, instants.submissionsCloseAt)).toBe('finalists')
  for (const at of [instants.votingOpensAt, instants.votingClosesAt + 1])
    for (const held of [{ named: 1 }, { opensByHand: 1 }] as const)
      expect(stateOf({ ...stages, ...held }, at)).toBe('finalists')
})

test('publishes after counting and after the day of the winner', () => {
  const sealed = { ...stages, sealedAt: instants.votingClosesAt }
  const counted = { ...sealed, ballotsSha256: 'abc' }
  const later = { ...counted, publishAt: instants.publishAt + 1000 }
  expect(stateOf(sealed, instants.publishAt)).toBe('closed')
  expect(stateOf(later, instants.publishAt)).toBe('closed')
  expect(stateOf(counted, instants.publishAt)).toBe('published')
})

test('locks days that have begun', () => {
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
