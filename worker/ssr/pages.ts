import { findCurrentRow, getChallenge, getCurrentChallenge, getHallOfFame } from '../challenge/challenge'
import { stateOf } from '../challenge/challenge-state'
import { readShowPage } from '../check-in/attendance'
import { lastPageChangeAt } from '../check-in/check-in-code'
import { listExclusivePosts } from '../community/exclusive-posts'
import { listPosts } from '../community/posts'
import { findShowPathById, listConcerts, listUpcomingConcerts } from '../concerts/concerts'
import { ADMIN_SCREENS, type ScreenPath } from '../contract/admin-screens'
import type { PublicChallenge } from '../contract/challenge'
import { showPath } from '../contract/concerts'
import { findPage, type Page, type PageData } from '../contract/pages'
import { productPath } from '../contract/products'
import { releasePath, trackPath } from '../contract/releases'
import type { Db } from '../db/client'
import { listVariantFormats } from '../downloads/access'
import type { Config } from '../env'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis, toIso } from '../lib/clock'
import { listMissions } from '../missions/missions'
import { readLeaderboard } from '../points/leaderboard'
import { listActivePolls, listClosedPolls } from '../polls/polls'
import { listProducts, productNotFoundError } from '../products/products'
import { findReleaseTrack, getReleasePage, listAnnouncedReleases, listReleases } from '../releases/releases'
import { readLegalText, readSiteConfig } from '../site/site'
import { listAllTracks } from '../tracks/tracks'

type PageDataRequest = { path: string; at: Millis }

/** Queries of rendered pages. They return what a visitor sees, nothing personal. */
const QUERIES = {
  tracks: async (db, { at }) => ({ tracks: await listAllTracks(db, { readerId: null, at }) }),
  products: async (db) => ({ products: await listProducts(db) }),
  physicalProducts: async (db) => ({
    physicalProducts: (await listProducts(db)).filter(({ kind }) => kind !== 'digital'),
  }),
  /** All products, because the page also lists the others. @throws AppError `not_found`. */
  product: async (db, { path }) => {
    const products = await listProducts(db)
    if (!products.some(({ slug }) => slug === lastSegment(path))) throw productNotFoundError()
    return { products, variantFormats: await listVariantFormats(db) }
  },
  upcomingConcerts: async (db, { at }) => ({ upcomingConcerts: await listUpcomingConcerts(db, at) }),
  concerts: async (db) => ({ concerts: await listConcerts(db) }),
  polls: async (db, { at }) => ({ polls: await listActivePolls(db, { session: null, at }) }),
  closedPolls: async (db, { at }) => ({ closedPolls: await listClosedPolls(db, { session: null, at }) }),
  leaderboard: async (db) => ({ leaderboard: await readLeaderboard(db, null) }),
  missions: async (db, { at }) => ({ missions: await listMissions(db, { session: null, at }) }),
  posts: async (db) => {
    const { posts, next } = await listPosts(db, { session: null, cursor: null })
    return { posts: { rows: posts, next: next && `?${new URLSearchParams({ cursor: next })}` } }
  },
  exclusivePosts: async (db) => ({ exclusivePosts: await listExclusivePosts(db, null) }),
  /** Result of the latest finished challenge. */
  latestResult: async (db, { at }) => ({ latestResult: await getHallOfFame(db, at).catch(nullIfNotFound) }),
  challengeState: async (db, { at }) => {
    const row = await findCurrentRow(db, at)
    return { challengeState: row && stateOf(row, at) }
  },
  currentChallenge: async (db, { at }) => {
    const challenge = await getCurrentChallenge(db, at)
    return { currentChallenge: challenge, ...(challenge && { hydrationTime: lastChallengeChangeAt(challenge, at) }) }
  },
  /** @throws AppError `not_found`. */
  challengeById: async (db, { path, at }) => {
    const challenge = await getChallenge(db, lastSegment(path), at)
    return { challengeById: challenge, hydrationTime: lastChallengeChangeAt(challenge, at) }
  },
  /** @throws AppError `not_found`. */
  show: async (db, { path, at }) => {
    const slug = lastSegment(path)
    const show = await readShowPage(db, { session: null, idOrSlug: slug, at })
    if (show.slug !== slug) throw new AppError('not_found', 'That show has another address.')
    const hydrationTime = lastPageChangeAt(show, at)
    return { show: { ...show, now: toIso(hydrationTime) }, hydrationTime }
  },
  /** @throws AppError `not_found` while the text is empty. */
  legalText: async (db, { path }) => ({ legalText: await readLegalText(db, lastSegment(path)) }),
  releases: async (db, { at }) => ({ releases: await listReleases(db, at) }),
  announcedReleases: async (db, { at }) => ({ announcedReleases: await listAnnouncedReleases(db, at) }),
  /** @throws AppError `not_found`. */
  release: async (db, { path, at }) => ({ release: await getReleasePage(db, { slug: pathSegment(path, 2), at }) }),
  /** @throws AppError `not_found`. */
  releaseTrack: async (db, { path, at }) => {
    const { release } = await findReleaseTrack(db, { slug: pathSegment(path, 2), trackSlug: pathSegment(path, 3), at })
    return { release }
  },
} satisfies Record<string, (db: Db, request: PageDataRequest) => Promise<Partial<PageData>>>

/** When the challenge's page last changed without a write: at a deadline, or with its countdown at the full hour. */
function lastChallengeChangeAt(challenge: PublicChallenge, at: Millis): Millis {
  const { submissionsOpenAt, submissionsCloseAt, finalistsAt, votingOpensAt, votingClosesAt, publishedAt } = challenge
  const changes = [submissionsOpenAt, submissionsCloseAt, finalistsAt, votingOpensAt, votingClosesAt, publishedAt]
  return Math.max(at - (at % HOUR_MS), ...changes.map((time) => Date.parse(time)).filter((time) => time <= at))
}

type PageDefinition = {
  /** One or two sentences; null for the artist's own description. */
  description: ((name: string) => string) | null
  /** Search engines may index the page, and the sitemap lists it. */
  indexed: boolean
  /** Queries of a server-rendered page; undefined for a page that only the browser renders. */
  data?: readonly (keyof typeof QUERIES)[]
  /** See `LoadedResponse` in cache/response-cache.ts. */
  hasCounters?: boolean
  /** The page shows supporters' posts; see `SendOptions` in cache/public-reads.ts. */
  showsPosts?: boolean
  /** The lazy chunk of the page's route in web/routes.tsx. */
  chunk: string | null
}

const ADMIN_CHUNK = 'web/admin/lazy-pages.ts'
const AUTH_CHUNK = 'web/auth/AuthPage.tsx'
const CHALLENGE_CHUNK = 'web/challenge/lazy-pages.ts'
const COMMUNITY_CHUNK = 'web/community/CommunityPage.tsx'
const EMAIL_LINK_CHUNK = 'web/layout/email-link-pages.ts'
const HUB_CHUNK = 'web/hub/HubPages.tsx'
const MERCH_CHUNK = 'web/products/lazy-pages.ts'
const MUSIC_CHUNK = 'web/releases/lazy-pages.ts'

const SCREEN_DEFINITIONS = Object.fromEntries(
  ADMIN_SCREENS.map(({ path, label }) => [
    path,
    { description: (name: string) => `${label} in ${name}’s dashboard.`, indexed: false, chunk: ADMIN_CHUNK },
  ]),
) as Record<ScreenPath, PageDefinition>

export const PAGE_DEFINITIONS: Readonly<Record<Page, PageDefinition>> = {
  '/': {
    description: null,
    indexed: true,
    data: ['tracks', 'physicalProducts', 'upcomingConcerts', 'polls', 'latestResult', 'challengeState'],
    // Plays do not change the data version.
    hasCounters: true,
    chunk: null,
  },
  '/subscribe': {
    description: (name) => `Choose a supporter tier of ${name}. 7-day free trial, cancel anytime.`,
    indexed: true,
    data: [],
    chunk: 'web/subscriptions/SubscribePage.tsx',
  },
  '/checkout': {
    description: (name) => `Your order from ${name}.`,
    indexed: false,
    chunk: 'web/checkout/CheckoutPage.tsx',
  },
  '/admin-login': {
    description: (name) => `Log in to ${name}’s dashboard.`,
    indexed: false,
    chunk: 'web/admin/AdminLoginPage.tsx',
  },
  '/login': {
    description: (name) => `Log in to the supporter account of ${name}.`,
    indexed: false,
    data: [],
    chunk: AUTH_CHUNK,
  },
  '/auth': { description: (name) => `Log in to ${name}, or sign up.`, indexed: false, data: [], chunk: AUTH_CHUNK },
  '/signup': {
    description: (name) => `Become a supporter of ${name}: vote, earn points, bring friends.`,
    indexed: false,
    data: [],
    chunk: AUTH_CHUNK,
  },
  '/privacy-policy': {
    description: (name) => `What ${name}’s site stores about you, why, for how long, and how to have it removed.`,
    indexed: true,
    data: [],
    chunk: 'web/privacy/PrivacyPolicyPage.tsx',
  },
  '/developers': {
    description: (name) => `The API of ${name}’s site: access tokens, webhooks and every call.`,
    indexed: false,
    chunk: 'web/developers/DevelopersPage.tsx',
  },
  // The title is the text's own: see buildLegalHead.
  '/legal/:id': {
    description: (name) => `What applies when you buy from ${name}.`,
    indexed: true,
    data: ['legalText'],
    chunk: 'web/site/LegalPage.tsx',
  },
  '/shows': {
    description: (name) => `When and where ${name} plays next, and the shows so far.`,
    indexed: true,
    data: ['upcomingConcerts', 'concerts'],
    chunk: 'web/show-page/ShowsPage.tsx',
  },
  '/music': {
    description: (name) => `Every album, EP and single by ${name}: listen, read the lyrics and the credits.`,
    indexed: true,
    data: ['releases', 'announcedReleases'],
    chunk: MUSIC_CHUNK,
  },
  // Title and description are the release's own: see buildMusicHead. Plays and likes do not change the data version.
  '/music/:release': {
    description: (name) => `A release by ${name}.`,
    indexed: true,
    data: ['release'],
    hasCounters: true,
    chunk: MUSIC_CHUNK,
  },
  '/music/:release/:track': {
    description: (name) => `A track by ${name}.`,
    indexed: true,
    data: ['releaseTrack'],
    hasCounters: true,
    chunk: MUSIC_CHUNK,
  },
  '/merch': {
    description: (name) => `The official store of ${name}: limited pieces, while they last.`,
    indexed: true,
    data: ['products'],
    chunk: MERCH_CHUNK,
  },
  // Title and description are the product's own: see buildMerchHead.
  '/merch/:product': {
    description: (name) => `A piece from the store of ${name}.`,
    indexed: true,
    data: ['product'],
    chunk: MERCH_CHUNK,
  },
  // Title and description are the show's own: see buildShowHead.
  '/shows/:show': {
    description: (name) => `A show of ${name}.`,
    indexed: true,
    data: ['show'],
    // Attendees do not change the data version.
    hasCounters: true,
    chunk: 'web/show-page/ShowPage.tsx',
  },
  '/community': {
    description: (name) => `Fans of ${name} on the shows, the songs and each other. Read along, then join in.`,
    indexed: true,
    data: ['posts', 'polls', 'leaderboard'],
    // Posts do not change the data version.
    hasCounters: true,
    showsPosts: true,
    chunk: COMMUNITY_CHUNK,
  },
  '/hub': {
    description: (name) => `Vote on what ${name} does next, earn points and see who leads the supporters.`,
    indexed: true,
    data: ['polls', 'closedPolls', 'leaderboard'],
    hasCounters: true,
    chunk: HUB_CHUNK,
  },
  '/hub/exclusive': {
    description: (name) => `Posts that ${name} writes for Silver and Gold members.`,
    indexed: true,
    data: ['exclusivePosts'],
    hasCounters: true,
    chunk: HUB_CHUNK,
  },
  '/hub/missions': {
    description: (name) => `Missions for supporters of ${name}: what to do, and the points each one earns.`,
    indexed: true,
    data: ['missions'],
    chunk: HUB_CHUNK,
  },
  // The title is the challenge's own: see buildChallengeHead.
  '/challenge': {
    description: (name) => `${name}’s verse challenge: enter a verse, cast your vote and recount the votes yourself.`,
    indexed: true,
    data: ['currentChallenge'],
    // Ballots do not change the data version.
    hasCounters: true,
    chunk: CHALLENGE_CHUNK,
  },
  '/admin/shows/:id/door': {
    description: (name) => `Check-in at a show of ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/admin/releases/:id/preview': {
    description: (name) => `A preview of a release of ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/verse-submissions': {
    description: (name) => `Verse submissions to ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/golden-verse-admin': {
    description: (name) => `The verse challenge of ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/csv-download': {
    description: (name) => `The ballots of the challenge of ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/download-csv': {
    description: (name) => `Starts the download of the ballots of ${name}.`,
    indexed: false,
    chunk: ADMIN_CHUNK,
  },
  '/account': {
    description: (name) => `Your account with ${name}.`,
    indexed: false,
    chunk: 'web/auth/AccountPage.tsx',
  },
  '/verify-email': {
    description: (name) => `Confirm your email for ${name}.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/undo-email-change': {
    description: (name) => `Restore your email address for ${name}.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/reset-password': {
    description: (name) => `Choose a new password for ${name}.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/orders/:id': {
    description: (name) => `The receipt of your order from ${name}.`,
    indexed: false,
    chunk: 'web/orders/OrderPage.tsx',
  },
  '/newsletter/confirm': {
    description: (name) => `Confirm your subscription to ${name}.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/newsletter/unsubscribe': {
    description: (name) => `What ${name} emails you.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/alerts/confirm': {
    description: (name) => `Get alerts about new shows by ${name}.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/stock-alerts/confirm': {
    description: (name) => `Hear when merch of ${name} is back in stock.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/inquiries/confirm': {
    description: (name) => `Confirm that you asked ${name} about your data.`,
    indexed: false,
    chunk: EMAIL_LINK_CHUNK,
  },
  '/challenge/confirm': {
    description: (name) => `Confirm the verse that you sent to ${name}.`,
    indexed: false,
    chunk: CHALLENGE_CHUNK,
  },
  '/challenge/withdraw': {
    description: (name) => `Withdraw the verse you sent to ${name}.`,
    indexed: false,
    chunk: CHALLENGE_CHUNK,
  },
  // The title is the challenge's own: see buildChallengeHead.
  '/challenge/:id': {
    description: (name) => `A verse challenge by ${name}: the winner, and every vote to recount.`,
    indexed: true,
    data: ['challengeById'],
    hasCounters: true,
    chunk: CHALLENGE_CHUNK,
  },
  '/redeem': {
    description: (name) => `Enter a download code to get music by ${name}.`,
    indexed: false,
    chunk: 'web/downloads/RedeemPage.tsx',
  },
  '/csv-link': {
    description: (name) => `A file from ${name}.`,
    indexed: false,
    chunk: 'web/exports/BallotsLinkPage.tsx',
  },
  '/demo/mailbox': {
    description: (name) => `The emails of the ${name} demo.`,
    indexed: false,
    chunk: 'web/email/MailboxPage.tsx',
  },
  '/offline': {
    description: (name) => `${name} without a connection.`,
    indexed: false,
    chunk: 'web/offline/OfflinePage.tsx',
  },
  ...SCREEN_DEFINITIONS,
}

/** Whether the worker renders this page. */
export const isRendered = (page: Page | null): page is Page =>
  page !== null && PAGE_DEFINITIONS[page].data !== undefined

/** Data of a rendered page. @throws AppError `not_found` if its record does not exist. */
export async function loadPageData(page: Page, db: Db, config: Config, request: PageDataRequest): Promise<PageData> {
  const [site, ...results] = await Promise.all([
    readSiteConfig(db, config),
    ...(PAGE_DEFINITIONS[page].data ?? []).map((name): Promise<Partial<PageData>> => QUERIES[name](db, request)),
  ])
  return Object.assign({ config: site }, ...results)
}

/** For `catch`: null for a `not_found` error. @throws any other error. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

/** Last segment of a path, percent-decoded if it can be. */
export const lastSegment = (path: string): string => pathSegment(path, -1)

/** A segment of a path, percent-decoded if it can be; segment 0 is empty. */
export function pathSegment(path: string, index: number): string {
  const text = path.split('/').at(index) ?? ''
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A page's path in one spelling, for the cache key, because percent-encoding allows many. */
export function canonicalPath(page: Page, path: string): string {
  if (page === '/shows/:show') return showPath(lastSegment(path))
  if (page === '/merch/:product') return productPath(lastSegment(path))
  if (page === '/challenge/:id') return `/challenge/${encodeURIComponent(lastSegment(path))}`
  if (page === '/music/:release') return releasePath(pathSegment(path, 2))
  if (page === '/music/:release/:track') return trackPath(pathSegment(path, 2), pathSegment(path, 3))
  return path
}

/** The path of a show's page if `path` is its former URL, which had the show's id instead of the slug; else null. */
export const findMovedPath = async (page: Page | null, path: string, db: Db): Promise<string | null> =>
  page === '/shows/:show' ? findShowPathById(db, lastSegment(path)) : null

/**
 * The path without trailing slashes if that is a page of the site, else null: `//other.example/` must never become a
 * redirect.
 */
export function pathWithoutTrailingSlash(path: string): string | null {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed !== path && trimmed !== '' && findPage(trimmed) ? trimmed : null
}

/** The query parameters that change the rendered page, in one spelling; else empty. */
export function canonicalSearch(page: Page, search: string): string {
  if (page !== '/subscribe') return ''
  const tier = new URLSearchParams(search).get('tier')
  if (tier === 'silver' || tier === 'gold') return `?tier=${tier}`
  // `vip` is an alias of gold.
  return tier === 'vip' ? '?tier=gold' : ''
}
