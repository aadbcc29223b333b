/**
 * What an act pays, in whole points (ruling 16). A ballot's points are paid by its trigger (migration 0001), so that
 * the vote, its count and its points are one statement; a test compares the two.
 */
export const POINTS = {
  poll_vote: 10,
  /** Once a day, however many polls are made. */
  poll_created: 25,
  /** Own audio, heard: once a track a day. */
  track_stream: 5,
  /** Once a track; it goes back with the like (ruling 18). */
  track_like: 5,
  /** The account's own address, subscribed by its owner: once an account. */
  newsletter_signup: 50,
  /** A post in the community: so many a day as PAID_POSTS_A_DAY says. */
  community_post: 15,
  /** At the door of a show: once a show. */
  check_in: 250,
  /** A verified address and a phone: no points of its own, its mission pays. A trigger writes it (migration 0005). */
  profile_complete: 0,
  /** A paid order: no points of its own, a mission may pay. It is undone with the order (refund, dispute). */
  merch_purchase: 0,
  /** Joined with somebody's code. */
  referral_signup: 50,
  /** A friend joined with the person's code and verified the address: three at the most (ruling 19). */
  referral_bonus: 200,
} as const

/** So many posts of a person are paid on a day of the artist's calendar (ruling 16). */
export const MAX_PAID_POSTS_PER_DAY = 3

export type PointsAction = keyof typeof POINTS

/**
 * The levels that a total reaches, from what a song is first to what it can become. A level is a name and a place on
 * the ring; it opens nothing, and it is never a paid tier (ruling 16).
 */
export const LEVELS = [
  { name: 'Demo Tape', from: 0 },
  { name: 'Single', from: 100 },
  { name: 'EP', from: 300 },
  { name: 'Album', from: 750 },
  { name: 'Double Album', from: 1500 },
  { name: 'Box Set', from: 3000 },
  { name: 'Master Tape', from: 6000 },
] as const

export type Level = (typeof LEVELS)[number]

/** The level that a total has reached, the one ahead (null at the last), and the share of the way to it, 0 to 1. */
export function levelAt(points: number): { level: Level; next: Level | null; share: number } {
  const reached = LEVELS.filter(({ from }) => from <= points)
  const level = reached.at(-1) ?? LEVELS[0]
  const next = LEVELS[reached.length] ?? null
  return { level, next, share: next ? (Math.max(points, 0) - level.from) / (next.from - level.from) : 1 }
}
