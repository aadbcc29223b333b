import { findCurrentRow, getHallOfFame } from '../challenge/challenge'
import { stateOf } from '../challenge/challenge-state'
import { readShowPage } from '../check-in/attendance'
import { lastPageChangeAt } from '../check-in/check-in-code'
import { allConcerts, showPath, upcomingConcerts } from '../concerts/concerts'
import { findPage, type Page, type PageData } from '../contract/pages'
import { releasePath, trackPath } from '../contract/releases'
import type { Db } from '../db/client'
import type { Config } from '../env'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { listMissions } from '../missions/missions'
import { readLeaderboard } from '../points/leaderboard'
import { activePolls } from '../polls/polls'
import { listProducts } from '../products/products'
import { findReleaseTrack, getRelease, listReleases } from '../releases/releases'
import { readSiteConfig } from '../site/site'
import { allTracks } from '../tracks/tracks'

type PageRequest = { path: string; at: Millis }

/** Queries of rendered pages, as a visitor sees them: nothing personal. */
const QUERIES = {
  tracks: async (db, { at }) => ({ tracks: await allTracks(db, { readerId: null, at }) }),
  products: async (db) => ({ products: await listProducts(db) }),
  upcoming: async (db, { at }) => ({ upcoming: await upcomingConcerts(db, at) }),
  concerts: async (db) => ({ concerts: await allConcerts(db) }),
  polls: async (db, { at }) => ({ polls: await activePolls(db, { session: null, at }) }),
  leaderboard: async (db) => ({ leaderboard: await readLeaderboard(db, null) }),
  missions: async (db, { at }) => ({ missions: await listMissions(db, { session: null, at }) }),
  challenge: async (db, { at }) => ({ challenge: await getHallOfFame(db, at).catch(nullIfNotFound) }),
  challengeState: async (db, { at }) => {
    const row = await findCurrentRow(db, at)
    return { challengeState: row && stateOf(row, at) }
  },
  /** @throws AppError `not_found`. */
  show: async (db, { path, at }) => {
    const show = await readShowPage(db, { session: null, id: lastSegment(path), at })
    const hydrationTime = lastPageChangeAt(show, at)
    return { show: { ...show, now: new Date(hydrationTime).toISOString() }, hydrationTime }
  },
  releases: async (db, { at }) => ({ releases: await listReleases(db, at) }),
  /** @throws AppError `not_found`. */
  release: async (db, { path, at }) => ({ release: await getRelease(db, { slug: pathSegment(path, 2), at }) }),
  /** @throws AppError `not_found`. */
  releaseTrack: async (db, { path, at }) => {
    const { release } = await findReleaseTrack(db, { slug: pathSegment(path, 2), trackSlug: pathSegment(path, 3), at })
    return { release }
  },
} satisfies Record<string, (db: Db, request: PageRequest) => Promise<Partial<PageData>>>

type PageDefinition = {
  /** One or two sentences; null for the artist's own description. */
  description: ((name: string) => string) | null
  /** In search engines and the sitemap. */
  indexed: boolean
  /** What a server-rendered page shows beside the site's configuration; others are rendered by the browser. */
  data?: readonly (keyof typeof QUERIES)[]
  hasCounters?: boolean
}

export const PAGE_DEFINITIONS: Readonly<Record<Page, PageDefinition>> = {
  '/': {
    description: null,
    indexed: true,
    data: ['tracks', 'products', 'upcoming', 'polls', 'leaderboard', 'missions', 'challenge', 'challengeState'],
    // Plays do not change the data version.
    hasCounters: true,
  },
  '/subscribe': {
    description: (name) => `Choose a supporter tier of ${name}. 7-day free trial, cancel anytime.`,
    indexed: true,
    data: [],
  },
  '/checkout': { description: (name) => `Your order from ${name}.`, indexed: false },
  '/admin': { description: (name) => `${name}’s dashboard.`, indexed: false },
  '/admin-login': { description: (name) => `Log in to ${name}’s dashboard.`, indexed: false },
  '/login': { description: (name) => `Log in to the supporter account of ${name}.`, indexed: false },
  '/auth': { description: (name) => `Log in to ${name}, or sign up.`, indexed: false },
  '/signup': {
    description: (name) => `Become a supporter of ${name}: vote, earn points, bring friends.`,
    indexed: false,
  },
  '/privacy-policy': {
    description: (name) => `What this site of ${name} knows about you, why, for how long, and how to have it removed.`,
    indexed: true,
    data: [],
  },
  '/shows': {
    description: (name) => `When and where ${name} plays next, and the shows so far.`,
    indexed: true,
    data: ['upcoming', 'concerts'],
  },
  '/music': {
    description: (name) => `Every album, EP and single by ${name}: listen, read the lyrics and the credits.`,
    indexed: true,
    data: ['releases'],
  },
  // Title and description are the release's own: see buildMusicHead. Plays and likes do not change the data version.
  '/music/:release': {
    description: (name) => `A release by ${name}.`,
    indexed: true,
    data: ['release'],
    hasCounters: true,
  },
  '/music/:release/:track': {
    description: (name) => `A track by ${name}.`,
    indexed: true,
    data: ['releaseTrack'],
    hasCounters: true,
  },
  // Title and description are the show's own: see buildShowHead.
  '/shows/:id': {
    description: (name) => `A show of ${name}.`,
    indexed: true,
    data: ['show'],
    // Attendees do not change the data version.
    hasCounters: true,
  },
  // The title is the challenge's own: see buildChallengeHead.
  '/challenge': {
    description: (name) =>
      `The verse challenge of ${name}: send a verse, vote once, and count the votes again yourself.`,
    indexed: true,
  },
  '/admin/shows/:id/door': {
    description: (name) => `Check-in at a show of ${name}.`,
    indexed: false,
  },
  '/admin/releases/:id': {
    description: (name) => `A release of ${name}.`,
    indexed: false,
  },
  '/verse-submissions': {
    description: (name) => `The verses sent in to ${name}.`,
    indexed: false,
  },
  '/golden-verse-admin': {
    description: (name) => `The verse challenge of ${name}.`,
    indexed: false,
  },
  '/csv-download': {
    description: (name) => `The ballots of the challenge of ${name}.`,
    indexed: false,
  },
  '/download-csv': {
    description: (name) => `Starts the download of the ballots of ${name}.`,
    indexed: false,
  },
  '/account': { description: (name) => `Your account with ${name}.`, indexed: false },
  '/verify-email': {
    description: (name) => `Confirm your address for ${name}.`,
    indexed: false,
  },
  '/undo-email-change': {
    description: (name) => `Restore your address for ${name}.`,
    indexed: false,
  },
  '/reset-password': {
    description: (name) => `Choose a new password for ${name}.`,
    indexed: false,
  },
  '/orders/:id': {
    description: (name) => `The receipt of your order from ${name}.`,
    indexed: false,
  },
  '/newsletter/confirm': {
    description: (name) => `Confirm your place on the list of ${name}.`,
    indexed: false,
  },
  '/newsletter/unsubscribe': { description: (name) => `What ${name} mails you.`, indexed: false },
  '/alerts/confirm': {
    description: (name) => `Be told of new shows of ${name}.`,
    indexed: false,
  },
  '/inquiries/confirm': {
    description: (name) => `Confirm that you asked ${name} about your data.`,
    indexed: false,
  },
  '/challenge/confirm': {
    description: (name) => `Confirm the verse that you sent to ${name}.`,
    indexed: false,
  },
  '/challenge/withdraw': {
    description: (name) => `Take back the verse that you sent to ${name}.`,
    indexed: false,
  },
  // The title is the challenge's own: see buildChallengeHead.
  '/challenge/:id': {
    description: (name) => `A verse challenge of ${name}: who won it, and every vote to count again.`,
    indexed: true,
  },
  '/csv-link': {
    description: (name) => `A file from ${name}.`,
    indexed: false,
  },
  '/demo/mailbox': { description: (name) => `What the demo of ${name} mails.`, indexed: false },
}
/** Whether the worker renders this page. */
export const isRendered = (page: Page | null): page is Page =>
  page !== null && PAGE_DEFINITIONS[page].data !== undefined

/** Data of a rendered page. @throws AppError `not_found` for a show that does not exist. */
export async function loadPageData(page: Page, db: Db, config: Config, request: PageRequest): Promise<PageData> {
  const [site, ...results] = await Promise.all([
    readSiteConfig(db, config),
    ...(PAGE_DEFINITIONS[page].data ?? []).map((name): Promise<Partial<PageData>> => QUERIES[name](db, request)),
  ])
  return Object.assign({ config: site }, ...results)
}

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

/** One spelling of a page's path, for the cache key: percent-encoding allows many. */
export function canonicalPath(page: Page, path: string): string {
  if (page === '/shows/:id') return showPath(lastSegment(path))
  if (page === '/music/:release') return releasePath(pathSegment(path, 2))
  if (page === '/music/:release/:track') return trackPath(pathSegment(path, 2), pathSegment(path, 3))
  return path
}

/**
 * The path without trailing slashes if that is a page; null otherwise. Only our own pages, so that `//other.example/`
 * never becomes a redirect.
 */
export function pathWithoutTrailingSlash(path: string): string | null {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed !== path && trimmed !== '' && findPage(trimmed) ? trimmed : null
}

/** One spelling of the query parameters that change the rendered page; else empty. */
export function canonicalSearch(page: Page, search: string): string {
  if (page !== '/subscribe') return ''
  const tier = new URLSearchParams(search).get('tier')
  return tier === 'silver' || tier === 'gold' || tier === 'vip' ? `?tier=${tier === 'silver' ? tier : 'gold'}` : ''
}
