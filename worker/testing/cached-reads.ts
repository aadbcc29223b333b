// What everybody is given from memory, by the names that `fullHouse` gives: `kept-tables.test.ts` finds the one that is missing here.

export const SHOW_URL = '/api/concerts/show-1'
/** The same for everybody, cookie or not. */
export const CACHED_FOR_ALL = [
  '/api/config',
  '/api/products',
  '/api/concerts',
  '/api/concerts/upcoming',
  '/api/challenge',
  '/api/challenge/current',
  '/api/challenges/1',
]
/** Kept for who sends no cookie: others are answered alone. */
export const CACHED_FOR_VISITORS = [
  SHOW_URL,
  '/api/tracks',
  '/api/tracks/trending',
  '/api/polls/active',
  '/api/polls/closed',
  '/api/leaderboard',
  '/api/missions',
]
export const SHOW_PAGE = '/shows/show-1'
export const CACHED_PAGES = ['/', '/subscribe', '/subscribe?tier=gold', '/privacy-policy', SHOW_PAGE]
