import { hallOfFame } from '../challenge/challenge'
import { lastTurn } from '../check-in/door'
import { showPage } from '../check-in/going'
import { upcomingConcerts } from '../concerts/concerts'
import type { Config } from '../config'
import type { PageData } from '../contract/page-data'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { leaderboard } from '../points/leaderboard'
import { missions } from '../points/missions'
import { activePolls } from '../polls/polls'
import { allProducts } from '../shop/shop'
import { allTracks } from '../tracks/tracks'
import { lastSegment, type Page } from './pages'
import { siteConfig } from './site'

/** Which page is meant, parameters filled in, and when. */
type Asked = { path: string; at: Millis }

/** What each page that the worker renders is made from, as a visitor gets it: nothing in it belongs to anybody. */
export const PAGE_DATA = {
  '/': homeData,
  '/subscribe': async (db, config) => ({ config: await siteConfig(db, config) }),
  '/privacy-policy': async (db, config) => ({ config: await siteConfig(db, config) }),
  '/shows/:id': showData,
} satisfies Partial<Record<Page, (db: Db, config: Config, asked: Asked) => Promise<PageData>>>

export type RenderedPage = keyof typeof PAGE_DATA

/** Whether the worker renders this page; others are the shell around the app. */
export const isRendered = (page: Page | null): page is RenderedPage => page !== null && page in PAGE_DATA

async function homeData(db: Db, config: Config, { at }: Asked): Promise<PageData> {
  const [site, tracks, products, upcoming, polls, board, list, challenge] = await Promise.all([
    siteConfig(db, config),
    allTracks(db, { readerId: null }),
    allProducts(db),
    upcomingConcerts(db, at),
    activePolls(db, { claim: null, at }),
    leaderboard(db, null),
    missions(db, { claim: null, at }),
    hallOfFame(db, at).catch(noneYet),
  ])
  return { config: site, tracks, products, upcoming, polls, leaderboard: board, missions: list, challenge }
}

/** @throws Refused `not_found`. */
async function showData(db: Db, config: Config, { path, at }: Asked): Promise<PageData> {
  const [site, show] = await Promise.all([
    siteConfig(db, config),
    showPage(db, { claim: null, id: lastSegment(path), at }),
  ])
  const drawnAt = lastTurn(show, at)
  return { config: site, show: { ...show, now: new Date(drawnAt).toISOString() }, drawnAt }
}

function noneYet(error: unknown): null {
  if (error instanceof Refused && error.code === 'not_found') return null
  throw error
}
