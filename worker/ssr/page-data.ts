import { getHallOfFame } from '../challenge/challenge'
import { readShowPage } from '../check-in/attendance'
import { lastPageChangeAt } from '../check-in/check-in-code'
import { upcomingConcerts } from '../concerts/concerts'
import type { PageData } from '../contract/page-data'
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
import { lastSegment, type Page } from './pages'

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
