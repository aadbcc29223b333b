import { getHallOfFame } from '../challenge/challenge'
import { readShowPage } from '../check-in/attendance'
import { lastPageChangeAt } from '../check-in/check-in-code'
import { showPath, upcomingConcerts } from '../concerts/concerts'
import type { PageData } from '../contract/pages'
import { PAGES } from '../contract/pages'
import type { Db } from '../db/client'
import type { Config } from '../env'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { listMissions } from '../missions/missions'
import { readLeaderboard } from '../points/leaderboard'
import { activePolls } from '../polls/polls'
import { listProducts } from '../products/products'
import { readSiteConfig } from '../site/site'
import { allTracks } from '../tracks/tracks'

export type Page = (typeof PAGES)[number]

/** What the head of a page says beside the artist's own words. Every page of the contract has a row: types see to it. */
type PageHead = {
  /** In front of the artist's name; null where the name comes first. */
  title: string | null
  /** One or two sentences; null where the artist's own description serves. */
  description: ((name: string) => string) | null
  /** In search engines and the sitemap. False for what belongs to one person or one moment. */
  indexed: boolean
}

export const PAGE_HEADS: Readonly<Record<Page, PageHead>> = {
  '/': { title: null, description: null, indexed: true },
  '/subscribe': {
    title: 'Subscribe',
    description: (name) => `Choose a supporter tier of ${name}. 7-day free trial, cancel anytime.`,
    indexed: true,
  },
  '/checkout': { title: 'Checkout', description: (name) => `Your order from ${name}.`, indexed: false },
  '/admin': { title: 'Admin', description: (name) => `The desk of ${name}.`, indexed: false },
  '/admin-login': { title: 'Admin Login', description: (name) => `The door to the desk of ${name}.`, indexed: false },
  '/login': { title: 'Login', description: (name) => `Log in to the supporter account of ${name}.`, indexed: false },
  '/auth': { title: 'Login or Sign Up', description: (name) => `Log in to ${name}, or sign up.`, indexed: false },
  '/signup': {
    title: 'Sign Up',
    description: (name) => `Become a supporter of ${name}: vote, earn points, bring friends.`,
    indexed: false,
  },
  '/privacy-policy': {
    title: 'Privacy Policy',
    description: (name) => `What this site of ${name} knows about you, why, for how long, and how to have it removed.`,
    indexed: true,
  },
  // What a show's page says stands in its row: see showHead.
  '/shows/:id': { title: 'Show', description: (name) => `A show of ${name}.`, indexed: true },
  // Its title is the challenge's own: see challengeHead.
  '/challenge': {
    title: 'Verse Challenge',
    description: (name) =>
      `The verse challenge of ${name}: send a verse, vote once, and count the votes again yourself.`,
    indexed: true,
  },
  '/admin/shows/:id/door': {
    title: 'Door',
    description: (name) => `Check-in at a show of ${name}.`,
    indexed: false,
  },
  '/verse-submissions': {
    title: 'Verse Submissions',
    description: (name) => `The verses sent in to ${name}.`,
    indexed: false,
  },
  '/golden-verse-admin': {
    title: 'Challenge Admin',
    description: (name) => `The verse challenge of ${name}.`,
    indexed: false,
  },
  '/csv-download': {
    title: 'CSV Download',
    description: (name) => `The ballots of the challenge of ${name}.`,
    indexed: false,
  },
  '/download-csv': {
    title: 'Download CSV',
    description: (name) => `Starts the download of the ballots of ${name}.`,
    indexed: false,
  },
  '/account': { title: 'Your Account', description: (name) => `Your account with ${name}.`, indexed: false },
  '/verify-email': {
    title: 'Confirm Your Address',
    description: (name) => `Confirm your address for ${name}.`,
    indexed: false,
  },
  '/reset-password': {
    title: 'New Password',
    description: (name) => `Choose a new password for ${name}.`,
    indexed: false,
  },
  '/orders/:id': {
    title: 'Your Order',
    description: (name) => `The receipt of your order from ${name}.`,
    indexed: false,
  },
  '/newsletter/confirm': {
    title: 'Join the List',
    description: (name) => `Confirm your place on the list of ${name}.`,
    indexed: false,
  },
  '/newsletter/unsubscribe': { title: 'Your Mail', description: (name) => `What ${name} mails you.`, indexed: false },
  '/alerts/confirm': {
    title: 'Show Alerts',
    description: (name) => `Be told of new shows of ${name}.`,
    indexed: false,
  },
  '/inquiries/confirm': {
    title: 'Your Question',
    description: (name) => `Confirm that you asked ${name} about your data.`,
    indexed: false,
  },
  '/challenge/withdraw': {
    title: 'Take Your Verse Back',
    description: (name) => `Take back the verse that you sent to ${name}.`,
    indexed: false,
  },
  // Its title is the challenge's own: see challengeHead.
  '/challenge/:id': {
    title: 'A Verse Challenge',
    description: (name) => `A verse challenge of ${name}: who won it, and every vote to count again.`,
    indexed: true,
  },
  '/csv-link': {
    title: 'The Ballots',
    description: (name) => `A file from ${name}.`,
    indexed: false,
  },
  '/demo/mailbox': { title: 'Demo Mailbox', description: (name) => `What the demo of ${name} mails.`, indexed: false },
}

const patterns = PAGES.map((page) => ({ page, pattern: new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`) }))

/** The page at exactly this path; null when the app has no screen there. */
export function findPage(path: string): Page | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.page ?? null
}

/** What the last part of a path names; as it was written where that is no text. */
export function lastSegment(path: string): string {
  const text = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A page's path in one spelling: percent signs let one name be written in any number of ways. */
export const canonicalPath = (page: Page, path: string): string =>
  page === '/shows/:id' ? showPath(lastSegment(path)) : path

/**
 * Where a page asked for with slashes at its end lives; null for everything else. The answer is one of our own
 * pages, so that `//other.example/` never becomes a redirect to another site.
 */
export function pathWithoutTrailingSlash(path: string): string | null {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed !== path && trimmed !== '' && findPage(trimmed) ? trimmed : null
}

/** What of an address's search changes the page's first picture, in one spelling; empty for everything else. */
export function canonicalSearch(page: Page, search: string): string {
  if (page !== '/subscribe') return ''
  const tier = new URLSearchParams(search).get('tier')
  return tier === 'silver' || tier === 'gold' || tier === 'vip' ? `?tier=${tier === 'silver' ? tier : 'gold'}` : ''
}

/** Which page is meant, parameters filled in, and when. */
type PageRequest = { path: string; at: Millis }

/** What each page that the worker renders is made from, as a visitor gets it: nothing in it belongs to anybody. */
export const PAGE_DATA = {
  '/': loadHomeData,
  '/subscribe': async (db, config) => ({ config: await readSiteConfig(db, config) }),
  '/privacy-policy': async (db, config) => ({ config: await readSiteConfig(db, config) }),
  '/shows/:id': loadShowData,
} satisfies Partial<Record<Page, (db: Db, config: Config, request: PageRequest) => Promise<PageData>>>

export type RenderedPage = keyof typeof PAGE_DATA

/** Whether the worker renders this page; others are the shell around the app. */
export const isRendered = (page: Page | null): page is RenderedPage => page !== null && page in PAGE_DATA

async function loadHomeData(db: Db, config: Config, { at }: PageRequest): Promise<PageData> {
  const [site, tracks, products, upcoming, polls, leaderboard, missions, challenge] = await Promise.all([
    readSiteConfig(db, config),
    allTracks(db, { readerId: null }),
    listProducts(db),
    upcomingConcerts(db, at),
    activePolls(db, { session: null, at }),
    readLeaderboard(db, null),
    listMissions(db, { session: null, at }),
    getHallOfFame(db, at).catch(nullIfNotFound),
  ])
  return { config: site, tracks, products, upcoming, polls, leaderboard, missions, challenge }
}

/** @throws AppError `not_found`. */
async function loadShowData(db: Db, config: Config, { path, at }: PageRequest): Promise<PageData> {
  const [site, show] = await Promise.all([
    readSiteConfig(db, config),
    readShowPage(db, { session: null, id: lastSegment(path), at }),
  ])
  const drawnAt = lastPageChangeAt(show, at)
  return { config: site, show: { ...show, now: new Date(drawnAt).toISOString() }, drawnAt }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}
