import { expect, test } from 'vitest'
import { formatLongZonedDateTime } from '../lib/format'
import { buildChallenge, FINALISTS } from '../testing/challenge.fixture'
import { countPassedTimelineEntries, formatTimeLeft, lastMinute, statusText } from './challenge-text'

const NOW = Date.parse('2026-08-12T12:00:00Z')

test('formats a midnight deadline as 11:59 PM in its zone', () => {
  expect(formatLongZonedDateTime(lastMinute('2026-07-17T04:00:00.000Z'), 'America/New_York')).toBe(
    'Thursday, July 16, 11:59 PM EDT',
  )
})

test('formats the time left in whole days, hours or minutes', () => {
  const HOUR_MS = 3_600_000
  expect([73, 47, 1.5, 0.9, 1 / 60].map((hours) => formatTimeLeft(hours * HOUR_MS))).toEqual([
    '3 days',
    '47 hours',
    '90 minutes',
    '54 minutes',
    '1 minute',
  ])
  expect(formatTimeLeft(30_000)).toBe('less than a minute')
})

test('names the next phase between submissions and voting', () => {
  const textWith = (changes: Parameters<typeof buildChallenge>[0]) =>
    statusText(
      buildChallenge({
        state: 'finalists',
        finalistsAt: '2026-08-13T04:00:00Z',
        votingOpensAt: '2026-08-14T04:00:00Z',
        ...changes,
      }),
      NOW,
    ).text
  expect(textWith({})).toMatch(/finalists are announced on Thursday, August 13, 12:00 AM EDT\.$/)
  expect(textWith({ finalists: FINALISTS })).toMatch(/^The finalists are announced\. Voting opens on Friday, August 14/)
  expect(textWith({ finalistsAt: '2026-08-10T04:00:00Z', votingOpensAt: '2026-08-11T04:00:00Z' })).toBe(
    'We are listening to every verse. Voting opens when the finalists are announced.',
  )
})

test('states whether there are one, several or no winners', () => {
  const textForVotes = (...votes: number[]) =>
    statusText(
      buildChallenge({
        state: 'published',
        finalists: votes.map((_, index) => ({ id: `f${index}`, name: `F${index}`, audioUrl: null })),
        results: {
          finalists: votes.map((count, index) => ({ id: `f${index}`, name: `F${index}`, votes: count, percent: 0 })),
          counted: votes.reduce((sum, count) => sum + count, 0),
          excluded: 0,
          tallyUrl: '/t',
        },
      }),
      NOW,
    ).text
  expect([textForVotes(3, 1), textForVotes(3, 3, 1), textForVotes(0, 0)]).toEqual([
    '2 finalists, one winner.',
    '3 finalists, 2 winners with equal votes.',
    'No votes were counted, so there is no winner.',
  ])
})

test('counts passed timeline entries by state, the last by date', () => {
  const passed = (state: Parameters<typeof countPassedTimelineEntries>[0]['state'], now = NOW) =>
    countPassedTimelineEntries(buildChallenge({ state }), now)
  expect(
    (['announced', 'submissions', 'finalists', 'voting', 'closed', 'published'] as const).map((state) => passed(state)),
  ).toEqual([0, 1, 2, 4, 5, 6])
  expect(passed('published', Date.parse('2026-08-21T00:00:00Z'))).toBe(7)
})
