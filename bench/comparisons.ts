import type { Comparison } from './measure.ts'

// What is held against what. A floor is the least that could do the job at all.

const hello = '/floor/hello'
const pointRead = '/floor/point-read'

/** A read that is kept asks no database: what it costs over hello is what every answer of the product carries. */
const CACHE_NOTE =
  'hello is a route and a text, 20 microseconds; a kept answer is 80 with no database asked: fourteen middlewares in a row (request id, log line, session, origin, limits of a body), a look at what is kept, its ETag and a dozen headers of safety.'
export const READS: readonly Comparison[] = [
  { figure: 'public configuration over hello', path: '/api/config', floor: hello, target: 0.8, cause: CACHE_NOTE },
  { figure: 'tracks over hello', path: '/api/tracks', floor: hello, target: 0.8, cause: CACHE_NOTE },
  { figure: 'tracks over one D1 point read', path: '/api/tracks', floor: pointRead, target: null },
  {
    figure: 'cached home page over a static page',
    path: '/',
    floor: '/floor/page',
    target: 0.9,
    cause: `both send the same page, which is most of the work. ${CACHE_NOTE}`,
  },
  { figure: 'home page over one D1 point read', path: '/', floor: pointRead, target: null },
]

/** A supporter's own reads, session and all, over one raw D1 round trip that reads the same answer. */
export const AUTHENTICATED_READS: readonly Comparison[] = [
  {
    figure: 'own points history over its raw read',
    path: '/own/api/points/history',
    floor: '/floor/history',
    target: null,
  },
  {
    figure: 'leaderboard with own rank over its raw read',
    path: '/own/api/leaderboard',
    floor: '/floor/rank',
    target: null,
  },
  {
    figure: 'polls with own vote over their raw read',
    path: '/own/api/polls/active',
    floor: '/floor/polls',
    target: null,
  },
]

const LIMITER =
  "Cloudflare's limiter counts in the machine's memory; the local one writes each call into a database of its own."

/**
 * Whole requests, session and all, over one raw D1 batch that writes the same rows. The local rate limiter writes each
 * call into a database of its own; Cloudflare's counts in the machine's memory, and so does `limiter=memory`.
 */
export const VOTES: readonly Comparison[] = [
  {
    figure: 'vote over raw batch, one by one',
    path: '/vote?at-once=1',
    floor: '/floor/vote?at-once=1',
    target: 0.85,
    cause: `one by one, the limiter's commit is waited for before the vote's. ${LIMITER} The line below is without it.`,
  },
  {
    figure: 'the same with a limiter in memory',
    path: '/vote?at-once=1&limiter=memory',
    floor: '/floor/vote?at-once=1',
    target: 0.85,
    cause:
      'the ballot with its triggers keeps five numbers where the floor keeps three (missions, places, mission counts), and a request has a router, a log line and a signed bookmark.',
  },
  {
    figure: 'vote over raw batch, 32 at once',
    path: '/vote',
    floor: '/floor/vote',
    target: 2,
    cause: `gathered, a vote costs less than the limiter's own commit. ${LIMITER} The line below is without it.`,
  },
  {
    figure: 'the same with a limiter in memory',
    path: '/vote?limiter=memory',
    floor: '/floor/vote',
    target: 2,
    cause:
      'the commit is shared by the batch and no longer what limits: triggers (a tenth of a millisecond a vote) and the request itself (a fifth) are, on the one thread that the local runtime has for D1 and the worker.',
  },
]
