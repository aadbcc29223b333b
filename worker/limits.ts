import { MAX_PAID_POSTS_PER_DAY } from './contract/points'
import { MIN_STREAM_SECONDS } from './contract/tracks'

/** Every limit of the worker, with its unit in its name. Rate limits are repeated in wrangler.toml; a test compares. */
export const limits = {
  maxJsonBodyBytes: 16 * 1024,
  /** An event of the payment provider, which holds the whole object that it is about. */
  maxWebhookBodyBytes: 256 * 1024,
  /** A visitor address may write so often a minute (binding LIMIT_WRITES). */
  writesPerMinute: 30,
  /** A visitor address may cause mail or store an address so often a minute (binding LIMIT_MAIL). */
  emailsPerMinute: 5,
  /** A visitor address may try to log in or sign up so often a minute (binding LIMIT_AUTH): a hash takes 100 ms. */
  authPerMinute: 20,
  /** Guesses at one account's password within the window: from one network or known device, and from everywhere. */
  maxLoginAttemptsPerNetwork: 10,
  maxLoginAttemptsPerAccount: 100,
  loginAttemptWindowMinutes: 15,
  /** Links of one kind that one account is mailed a day. */
  linkEmailsPerAccountPerDay: 5,
  /** Links to verify an address that one mailbox is mailed a day: a sign-up's, and those asked for again. */
  verificationEmailsPerMailboxPerDay: 6,
  /** Mails that strangers can cause by typing an address: to one mailbox a day, and to all together. */
  requestedEmailsPerMailboxPerDay: 3,
  requestedEmailsPerDay: 5_000,
  /** A provider is handed so many mails side by side; a worker that dies leaves no more in doubt. */
  maxConcurrentEmailSends: 10,
  /** A mail is tried so often, over some five hours, before it is the administrator's to send again. */
  maxEmailAttempts: 12,
  /** A mail that is due for so long and not sent has lost its message: the sweep, every five minutes, tells again. */
  emailOverdueMinutes: 5,
  /** A mail in a sender's hands for so long is in doubt: no sender takes that long. */
  emailLeaseMinutes: 15,
  /** Recipients of a broadcast are listed so many at a time, and so many are handed over in one stretch of work. */
  broadcastPageSize: 500,
  broadcastBatchSize: 400,
  /** A sender that has not come back for so long is dead, and another takes its broadcast up. */
  broadcastLeaseMinutes: 2,
  /** Privacy inquiries that one e-mail address may send a day. */
  inquiriesPerAddressPerDay: 5,
  inquiriesPageSize: 50,
  /** A track counts as heard after so long, or after half of a shorter one; the player knows it, too (ruling 17). */
  minListenSeconds: MIN_STREAM_SECONDS,
  /** How long the audio cookie may be answered by a stream report. */
  audioCookieTtlSeconds: 6 * 60 * 60,
  /** Counted reports are kept so long: well past the cookie that a second one would need. */
  streamReportTtlSeconds: 2 * 24 * 60 * 60,
  /** Rows of a list of the desk on a page. */
  adminPageSize: 50,
  /** Rows of an export that one statement makes lines of, and how much text they may come to before the page is halved. */
  maxExportPageRows: 10_000,
  maxExportPageChars: 1_400_000,
  /** A worker that has not moved an export for so long is dead; another may begin it anew. */
  exportLeaseSeconds: 60,
  /** How often a worker says how far an export has come. */
  exportProgressIntervalSeconds: 2,
  /** Files that one person may begin to send a day, and how long one that nothing refers to is kept. */
  uploadsPerDay: 300,
  uploadTtlHours: 48,
  /** Recordings of verses that one account, and all visitors of one address, a school's or a studio's, may send a day. */
  verseUploadsPerAccountPerDay: 10,
  verseUploadsPerIpPerDay: 60,
  /** Finished challenges that a challenge's page leads to, the latest. */
  maxChallengesListed: 50,
  /** A ballot is looked at where so many come from one network within so long, or its account is as young as this. */
  voteBurstThreshold: 10,
  voteBurstWindowMinutes: 10,
  newAccountAgeDays: 3,
  /** Pictures that a supporter may begin to send a day, ten posts' and some second thoughts. */
  postImagesPerDay: 20,
  /** For so long after its picture a rendition of it is taken. */
  imageVariantWindowMinutes: 30,
  /** A finished export can be fetched for so long. */
  exportTtlHours: 72,
  /** A mailed link to the ballots: how long and how often it works, and how many an administrator may send an hour. */
  csvLinkTtlHours: 24,
  maxCsvLinkUses: 5,
  csvLinksPerHour: 5,
  leaderboardSize: 50,
  /** Entries of the points history on a page. */
  historyPageSize: 50,
  /** Referrals that their referrer is shown, the latest ones. */
  maxReferralsShown: 20,
  ordersPageSize: 50,
  /** Pieces of all products together that one account, or one visitor's address, may keep reserved and not paid. */
  maxReservedUnits: 40,
  /** Polls shown at once, those that end first. */
  maxActivePollsShown: 50,
  /** Polls that closed last, shown with their counts. */
  maxClosedPollsShown: 20,
  /** A person may make so many polls on a day of the artist's calendar (ruling 22). */
  pollsPerUserPerDay: 3,
  /** An isolate with so many votes of a poll under way gathers the next, and hands them to one of the poll's objects, */
  voteBatchThreshold: 4,
  /** which casts so many in one round trip at the most. */
  maxVoteBatchSize: 100,
  /** A poll has so many such objects: each answers about a thousand calls a second. */
  voteBatchersPerPoll: 2,
  /** So many wait in one of them at the most, some seconds' worth; who comes then is asked to try again. */
  maxQueuedVotes: 2_000,
  /** A vote waits for its batch no longer than this, and goes by itself. */
  voteBatchTimeoutMs: 5_000,
  /** Watchers of a poll are told of changes no oftener than this: four times a second. */
  liveUpdateIntervalMs: 250,
  /** For so long nobody needs to tell a poll's object of votes once it said that nobody watches. */
  liveUnwatchedTtlMs: 1000,
  /** Sockets of one person on one poll; the oldest is closed for a new one. */
  maxLiveSocketsPerUser: 4,
  /** The door takes check-ins from so long before the show begins, when a queue forms, */
  checkInOpensHoursBefore: 2,
  /** until so long after its planned end: shows run late. */
  checkInClosesHoursAfter: 1,
  /**
   * Wrong codes at one door within the window: of one person, whoever else is behind their address, and of all the
   * visitors of one address, which may be a full hall's (docs/decisions/0009 has the arithmetic).
   */
  maxCheckInAttemptsPerUser: 10,
  maxCheckInAttemptsPerIp: 500,
  checkInAttemptWindowMinutes: 15,
  /** People whom visitors' scans of one code let in, and who sign up by them beside their address's own allowance. */
  maxCheckInsPerCode: 300,
  /** How long a visitor's scan at the door can be redeemed. */
  checkInTokenTtlMinutes: 30,
  /** People who are named on a show's page, the latest who said so. */
  maxAttendeesShown: 24,
  /** Posts of the community on a page. */
  postsPageSize: 20,
  /** A person may post so often on a day of the artist's calendar, and is paid for so many (ruling 16). */
  postsPerUserPerDay: 10,
  rewardedPostsPerDay: MAX_PAID_POSTS_PER_DAY,
  /** Of the page behind a post's link so much is read, in so long a time with its redirects, and so often at the most. */
  maxPreviewBytes: 256 * 1024,
  previewTimeoutMs: 3_000,
  maxPreviewRedirects: 3,
  maxPreviewAttempts: 3,
  /** For so long a page is not asked again, however many posts name it. */
  previewTtlDays: 7,
  /** A preview that was not settled for so long has lost its message: the five-minute tick tells again. */
  previewOverdueMinutes: 5,
  /** Posts that the moderators are shown at once, and posts for the tiers, the latest. */
  maxModerationPostsShown: 50,
  maxExclusivePostsShown: 50,
  /** A new poll takes votes for so long. */
  pollDurationDays: 7,
} as const
