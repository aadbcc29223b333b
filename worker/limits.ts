import { PAID_POSTS_A_DAY } from './contract/point-rules'
import { HEARD_AFTER_SECONDS } from './contract/tracks'

/** Every limit of the worker, with its unit in its name. Rate limits are repeated in wrangler.toml; a test compares. */
export const limits = {
  jsonBodyBytes: 16 * 1024,
  /** An event of the payment provider, which holds the whole object that it is about. */
  webhookBodyBytes: 256 * 1024,
  /** A visitor address may write so often a minute (binding LIMIT_WRITES). */
  writesPerMinute: 30,
  /** A visitor address may cause mail or store an address so often a minute (binding LIMIT_MAIL). */
  mailPerMinute: 5,
  /** A visitor address may try to log in or sign up so often a minute (binding LIMIT_AUTH): a hash takes 100 ms. */
  authPerMinute: 20,
  /** Guesses at one account's password within the window: from one network or known device, and from everywhere. */
  loginTriesHere: 10,
  loginTriesEverywhere: 100,
  loginWindowMinutes: 15,
  /** Links of one kind that one account is mailed a day. */
  mailsPerAddressADay: 5,
  /** Links to verify an address that one mailbox is mailed a day: a sign-up's, and those asked for again. */
  verifyMailsPerMailboxADay: 6,
  /** Mails that strangers can cause by typing an address: to one mailbox a day, and to all together. */
  askedMailsPerMailboxADay: 3,
  askedMailsADay: 5_000,
  /** A provider is handed so many mails side by side; a worker that dies leaves no more in doubt. */
  mailsAtOnce: 10,
  /** A mail is tried so often, over some five hours, before it is the administrator's to send again. */
  mailTries: 12,
  /** A mail that is due for so long and not sent has lost its message: the sweep, every five minutes, tells again. */
  mailOverdueMinutes: 5,
  /** A mail in a sender's hands for so long is in doubt: no sender takes that long. */
  mailClaimMinutes: 15,
  /** Recipients of a broadcast are listed so many at a time, and so many are handed over in one stretch of work. */
  broadcastPage: 500,
  broadcastStretch: 400,
  /** A sender that has not come back for so long is dead, and another takes its broadcast up. */
  broadcastLeaseMinutes: 2,
  /** Privacy inquiries that one e-mail address may send a day. */
  inquiriesPerAddressADay: 5,
  inquiriesOnAPage: 50,
  /** A track counts as heard after so long, or after half of a shorter one; the player knows it, too (ruling 17). */
  listenedSeconds: HEARD_AFTER_SECONDS,
  /** How long the audio cookie may be answered by a stream report. */
  audioCookieSeconds: 6 * 60 * 60,
  /** Counted reports are kept so long: well past the cookie that a second one would need. */
  streamReportSeconds: 2 * 24 * 60 * 60,
  /** Rows of a list of the desk on a page. */
  deskRows: 50,
  /** Rows of an export that one statement makes lines of, and how much text they may come to before the page is halved. */
  exportPageRows: 10_000,
  exportPageChars: 1_400_000,
  /** A worker that has not moved an export for so long is dead; another may begin it anew. */
  exportLeaseSeconds: 60,
  /** How often a worker says how far an export has come. */
  exportProgressSeconds: 2,
  /** Files that one person may begin to send a day, and how long one that nothing refers to is kept. */
  uploadsPerDay: 300,
  uploadHours: 48,
  /** Recordings of verses that one account, and all visitors of one address, a school's or a studio's, may send a day. */
  versesSentPerDay: 10,
  versesSentPerAddressADay: 60,
  /** Finished challenges that a challenge's page leads to, the latest. */
  challengesListed: 50,
  /** A ballot is looked at where so many come from one network within so long, or its account is as young as this. */
  burstBallots: 10,
  burstMinutes: 10,
  newAccountDays: 3,
  /** Pictures that a supporter may begin to send a day, ten posts' and some second thoughts. */
  picturesPerDay: 20,
  /** For so long after its picture a rendition of it is taken. */
  renditionMinutes: 30,
  /** A finished export can be fetched for so long. */
  exportHours: 72,
  /** A mailed link to the ballots: how long and how often it works, and how many an administrator may send an hour. */
  csvLinkHours: 24,
  csvLinkUses: 5,
  csvLinksPerHour: 5,
  leaderboardEntries: 50,
  /** Entries of the points history on a page. */
  historyEntries: 50,
  /** Referrals that their referrer is shown, the latest ones. */
  referralsShown: 20,
  ordersOnAPage: 50,
  /** Pieces of all products together that one account, or one visitor's address, may keep reserved and not paid. */
  piecesReserved: 40,
  /** Polls shown at once, those that end first. */
  activePolls: 50,
  /** Polls that closed last, shown with their counts. */
  closedPolls: 20,
  /** A person may make so many polls on a day of the artist's calendar (ruling 22). */
  pollsPerDay: 3,
  /** An isolate with so many votes of a poll under way gathers the next, and hands them to one of the poll's objects, */
  rushFrom: 4,
  /** which casts so many in one round trip at the most. */
  rushBatch: 100,
  /** A poll has so many such objects: each answers about a thousand calls a second. */
  rushShards: 2,
  /** So many wait in one of them at the most, some seconds' worth; who comes then is asked to try again. */
  rushWaiting: 2_000,
  /** A vote waits for its batch no longer than this, and goes by itself. */
  rushPatienceMillis: 5_000,
  /** Watchers of a poll are told of changes no oftener than this: four times a second. */
  liveTickMillis: 250,
  /** For so long nobody needs to tell a poll's object of votes once it said that nobody watches. */
  liveUnwatchedMillis: 1000,
  /** Sockets of one person on one poll; the oldest is closed for a new one. */
  liveSocketsPerPerson: 4,
  /** The door takes check-ins from so long before the show begins, when a queue forms, */
  doorOpensHoursBefore: 2,
  /** until so long after its planned end: shows run late. */
  doorClosesHoursAfter: 1,
  /**
   * Wrong codes at one door within the window: of one person, whoever else is behind their address, and of all the
   * visitors of one address, which may be a full hall's (docs/decisions/0009 has the arithmetic).
   */
  doorTriesPerPerson: 10,
  doorTriesPerAddress: 500,
  doorTriesMinutes: 15,
  /** People whom visitors' scans of one code let in, and who sign up by them beside their address's own allowance. */
  arrivalsPerCode: 300,
  /** How long a visitor's scan at the door can be redeemed. */
  arrivalMinutes: 30,
  /** People who are named on a show's page, the latest who said so. */
  goersNamed: 24,
  /** Posts of the community on a page. */
  postsShown: 20,
  /** A person may post so often on a day of the artist's calendar, and is paid for so many (ruling 16). */
  postsPerDay: 10,
  paidPostsPerDay: PAID_POSTS_A_DAY,
  /** Of the page behind a post's link so much is read, in so long a time with its redirects, and so often at the most. */
  previewBytes: 256 * 1024,
  previewMillis: 3_000,
  previewRedirects: 3,
  previewTries: 3,
  /** For so long a page is not asked again, however many posts name it. */
  previewDays: 7,
  /** A preview that was not settled for so long has lost its message: the five-minute tick tells again. */
  previewOverdueMinutes: 5,
  /** Posts that the moderators are shown at once, and posts for the tiers, the latest. */
  postsWatched: 50,
  exclusivePostsShown: 50,
  /** A new poll takes votes for so long. */
  pollDays: 7,
} as const
