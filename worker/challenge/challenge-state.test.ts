import { expect, test } from 'vitest'
import { HOUR_MS } from '../lib/clock'
import { DAYS_2025 } from '../testing/fixtures'
import { startedDaysOf, stateOf, timestampsOf } from './challenge-state'

const timestamps = timestampsOf(DAYS_2025, 'America/New_York')
const challenge = { ...timestamps, sealedAt: null, ballotsSha256: null, opensByHand: false, finalistCount: 7 } as const

test('computes day boundaries in the time zone of the artist', () => {
  expect(Object.values(timestamps).map((at) => new Date(at).toISOString())).toEqual([
    '2025-07-02T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-17T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
    '2025-07-21T04:00:00.000Z',
  ])
  // The day on which daylight saving time begins has 23 hours.
  const march = timestampsOf({ ...DAYS_2025, votingFrom: '2026-03-08', votingUntil: '2026-03-08' }, 'America/New_York')
  expect(march.votingClosesAt - march.votingOpensAt).toBe(23 * HOUR_MS)
})

test.each([
  [timestamps.submissionsOpenAt - 1, 'announced'],
  [timestamps.submissionsOpenAt, 'submissions'],
  [timestamps.submissionsCloseAt - 1, 'submissions'],
  [timestamps.votingOpensAt, 'voting'],
  [timestamps.votingClosesAt - 1, 'voting'],
  [timestamps.votingClosesAt, 'closed'],
  [timestamps.votingClosesAt + 1e12, 'closed'],
] as const)('at timestamp %i the state is %s', (at, state) => {
  expect(stateOf(challenge, at)).toBe(state)
})

test('stays in finalists without two finalists or manual opening', () => {
  const later = { ...challenge, votingOpensAt: timestamps.submissionsCloseAt + 1000 }
  expect(stateOf(later, timestamps.submissionsCloseAt)).toBe('finalists')
  for (const at of [timestamps.votingOpensAt, timestamps.votingClosesAt + 1])
    for (const obstacle of [{ finalistCount: 1 }, { opensByHand: true }] as const)
      expect(stateOf({ ...challenge, ...obstacle }, at)).toBe('finalists')
})

test('publishes after the count and the winner’s day', () => {
  const sealed = { ...challenge, sealedAt: timestamps.votingClosesAt }
  const counted = { ...sealed, ballotsSha256: 'abc' }
  const later = { ...counted, publishAt: timestamps.publishAt + 1000 }
  expect(stateOf(sealed, timestamps.publishAt)).toBe('closed')
  expect(stateOf(later, timestamps.publishAt)).toBe('closed')
  expect(stateOf(counted, timestamps.publishAt)).toBe('published')
})

test('locks days that have begun', () => {
  expect(startedDaysOf(challenge, timestamps.submissionsOpenAt - 1)).toEqual([])
  expect(startedDaysOf(challenge, timestamps.submissionsOpenAt)).toEqual(['submissionsFrom'])
  expect(startedDaysOf(challenge, timestamps.votingOpensAt)).toEqual([
    'submissionsFrom',
    'submissionsUntil',
    'finalistsOn',
    'votingFrom',
  ])
  expect(startedDaysOf({ ...challenge, finalistCount: 1 }, timestamps.votingOpensAt)).not.toContain('votingFrom')
})
