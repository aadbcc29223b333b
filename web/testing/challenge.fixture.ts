import type { PublicChallenge } from '../../worker/contract/challenge'
import { hoursFromNow } from './hours-from-now'

/** A challenge that takes submissions for another 84 hours. */
export const buildChallenge = (changes: Partial<PublicChallenge> = {}): PublicChallenge => ({
  id: 'bars',
  title: 'Sixteen Bars',
  prize: 'A day in the studio',
  rules: 'Sixteen bars at the most.\n\nYour own words.',
  beatUrl: null,
  state: 'submissions',
  timeZone: 'America/New_York',
  timeline: [
    { label: 'Submissions open', date: '2026-08-01' },
    { label: 'Submissions close', date: '2026-08-10' },
    { label: 'Finalists named', date: '2026-08-11' },
    { label: 'Voting opens', date: '2026-08-12' },
    { label: 'Voting closes', date: '2026-08-15' },
    { label: 'Winner announced', date: '2026-08-16' },
    { label: 'Closed', date: '2026-08-20' },
  ],
  submissionsOpenAt: hoursFromNow(-24),
  submissionsCloseAt: hoursFromNow(84),
  finalistsAt: hoursFromNow(90),
  votingOpensAt: hoursFromNow(100),
  votingClosesAt: hoursFromNow(200),
  publishedAt: hoursFromNow(300),
  finalists: [],
  seal: null,
  results: null,
  others: [],
  ...changes,
})

export const FINALISTS = [
  { id: 'f1', name: 'Low Tide', audioUrl: '/api/challenge/finalists/f1/audio' },
  { id: 'f2', name: 'High Water', audioUrl: null },
]
