import { TOKEN_REQUESTS_PER_MINUTE } from './contract/developers'
import { MAX_REWARDED_POSTS_PER_DAY } from './contract/points'

/**
 * Limits of the worker besides the quotas of worker/quotas; units are in the names. Rate limits are repeated in
 * wrangler.toml; a test compares.
 */
export const limits = {
  maxJsonBodyBytes: 16 * 1024,
  /** Events of the payment provider contain whole invoices. */
  maxWebhookBodyBytes: 256 * 1024,
  /** Writes (LIMIT_WRITES). This and the next two limits are per route and IP address or user (http/rate-limit.ts). */
  writesPerMinute: 30,
  /** Requests that send email or store an email address (binding LIMIT_MAIL). */
  emailsPerMinute: 5,
  /** Log-ins and sign-ups (binding LIMIT_AUTH): hashing takes 100 ms. */
  authPerMinute: 20,
  /** Requests of one access token, over all routes (binding LIMIT_API). */
  apiRequestsPerMinute: TOKEN_REQUESTS_PER_MINUTE,
  /** An attempt to deliver a webhook takes at most this long. */
  webhookTimeoutSeconds: 10,
  /** A webhook delivery that has been due for this time has lost its queue message and is enqueued again. */
  webhookOverdueMinutes: 5,
  maxWebhookDeliveriesListed: 100,
  /** Webhooks do not report releases older than this. Shorter than the retention of deliveries. */
  releaseReportDays: 7,
  /** Also the maximum number of emails whose state is unknown after a crash. */
  maxConcurrentEmailSends: 10,
  /** Attempts over about five hours. If all fail, an administrator can send the email again. */
  maxEmailAttempts: 12,
  /** An email overdue for this time has lost its queue message and is enqueued again. */
  emailOverdueMinutes: 5,
  /** A write that takes longer gets an error response. */
  writeTimeoutSeconds: 30,
  /** An email claimed for longer has an unknown state: no sender takes that long. */
  emailLeaseMinutes: 15,
  /** Recipients of a broadcast: enqueued per page, sent per queue message. */
  broadcastPageSize: 500,
  broadcastBatchSize: 400,
  /** After this time a broadcast without progress is resumed. */
  broadcastLeaseMinutes: 2,
  /** How long a listen, in the audio cookie, can be reported as a stream. */
  audioCookieTtlSeconds: 6 * 60 * 60,
  /** How long a stream report is stored: longer than the audio cookie lives, so that none is counted twice. */
  streamReportTtlSeconds: 2 * 24 * 60 * 60,
  /** Rows per page of an admin list. */
  adminPageSize: 50,
  /** Rows per query of an export; halved after each page with more than `maxExportPageChars`. */
  maxExportPageRows: 10_000,
  maxExportPageChars: 1_400_000,
  /** After this time an export without progress is restarted. */
  exportLeaseSeconds: 60,
  exportProgressIntervalSeconds: 2,
  exportTtlHours: 72,
  /** After this time a download without progress is continued by another worker. */
  downloadLeaseSeconds: 120,
  /** Per user; unreferenced files are deleted after the TTL. */
  uploadsPerDay: 300,
  uploadTtlHours: 48,
  /** An unfinished upload of a master expires this long after its last part; R2 aborts it after a week. */
  masterUploadTtlHours: 72,
  /** Latest finished challenges linked from a challenge's page. */
  maxChallengesListed: 50,
  /** A ballot is flagged in a burst (this many from one network within the window), and if its account is new. */
  voteBurstThreshold: 10,
  voteBurstWindowMinutes: 10,
  newAccountAgeDays: 3,
  /** Image uploads per supporter: ten posts and some retries. */
  postImagesPerDay: 20,
  /** Variants of an image are accepted this long after its upload. */
  imageVariantWindowMinutes: 30,
  /** Rows per D1 batch of an import, and their bytes as JSON: D1 takes values of 2 MB. */
  importBatchRows: 500,
  importBatchBytes: 500_000,
  /** A file that is not imported is deleted after this time. */
  importFileTtlHours: 72,
  /** An import without progress for this time has lost its queue message. */
  importStepTimeoutMinutes: 2,
  importRetrySeconds: 10,
  archiveIntervalDays: 7,
  /** Owners get an email after this time without an archive. */
  archiveOverdueDays: 8,
  maxArchivesListed: 20,
  /** Owners get an email when this many emails could not be sent in a day. */
  unsentEmailAlertThreshold: 5,
  /** D1's limit on paid plans. */
  maxDatabaseBytes: 10 * 1024 ** 3,
  /** An archive without progress for this time has lost its queue message. */
  archiveStepTimeoutMinutes: 5,
  /** Emailed links that download a challenge's ballots as CSV. */
  csvLinkTtlHours: 24,
  maxCsvLinkUses: 5,
  leaderboardSize: 50,
  pointsHistoryPageSize: 50,
  maxReferralsShown: 20,
  ordersPageSize: 50,
  /** Reserved but unpaid units, over all products. */
  maxReservedUnitsPerAccount: 40,
  maxReservedUnitsPerDevice: 10,
  maxReservedUnitsPerNetwork: 40,
  /** Uses of a limited discount code that unpaid orders of one network hold at a time. */
  maxOpenCodeUsesPerNetwork: 5,
  maxActivePollsShown: 50,
  maxClosedPollsShown: 20,
  /** Per day of the artist's calendar. */
  pollsPerUserPerDay: 3,
  /** How long a supporter's poll is open. */
  pollDurationDays: 7,
  /** Votes of a poll are batched once this many are in flight in one isolate. */
  voteBatchThreshold: 4,
  /** Votes per D1 batch. */
  maxVoteBatchSize: 100,
  /** Durable Objects per poll: each handles about a thousand calls a second. */
  voteBatchersPerPoll: 2,
  /** Votes that can wait in one of these objects, for some seconds. More are rejected. */
  maxQueuedVotes: 2_000,
  /** After this a vote is cast without the batch. */
  voteBatchTimeoutMs: 5_000,
  /** Minimum time between two updates of a live poll. */
  liveUpdateIntervalMs: 250,
  /** A watcher whose session has ended is disconnected after at most this time. */
  liveSessionCheckMs: 45_000,
  /** How long votes skip notifications after the live poll's Durable Object reported no watchers. */
  liveUnwatchedTtlMs: 1000,
  /** Per poll; the oldest is closed for a new one. */
  maxLiveSocketsPerUser: 4,
  /** Check-in opens before the show starts and closes after its planned end: shows run late. */
  checkInOpensHoursBefore: 2,
  checkInClosesHoursAfter: 1,
  /** Check-ins through scans of one code. */
  maxCheckInsPerCode: 300,
  /** Validity of a visitor's scan. */
  checkInTokenTtlMinutes: 30,
  /** Names shown: the latest attendees who agreed to be named. */
  maxAttendeesShown: 24,
  postsPageSize: 20,
  /** Per day of the artist's calendar. */
  postsPerUserPerDay: 10,
  rewardedPostsPerDay: MAX_REWARDED_POSTS_PER_DAY,
  /** Link previews: bytes read of a page, total time with redirects, redirects, attempts including the first. */
  maxPreviewBytes: 256 * 1024,
  previewTimeoutMs: 3_000,
  maxPreviewRedirects: 3,
  maxPreviewAttempts: 3,
  /** A page is not fetched again within this time. */
  previewTtlDays: 7,
  /** A preview pending for this time has lost its queue message and is enqueued again. */
  previewOverdueMinutes: 5,
  maxExclusivePostsShown: 50,
} as const
