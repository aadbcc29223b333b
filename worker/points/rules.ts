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
  /** A post in the community: three a day. */
  community_post: 15,
  /** At the door of a show: once a show. */
  check_in: 250,
  /** A verified address and a phone: no points of its own, its mission pays. A trigger writes it (migration 0005). */
  profile_complete: 0,
  /** Joined with somebody's code. */
  referral_signup: 50,
  /** A friend joined with the person's code and verified the address: three at the most (ruling 19). */
  referral_bonus: 200,
} as const

export type PaidAction = keyof typeof POINTS
