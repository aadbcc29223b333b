import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { PageData } from '../worker/contract/pages'
import { VISITOR_DATA_UPDATED_AT, VISITOR_PAGE_KEY } from './auth/auth.queries'
import { challengeById, currentChallenge } from './challenge/challenge.queries'
import { currentChallengeState, hallOfFame } from './challenge/hall-of-fame.queries'
import { communityFeed, exclusivePosts } from './community/community.queries'
import { allConcerts, upcomingConcerts } from './concerts/concerts.queries'
import { showPage } from './concerts/show-page.queries'
import { variantFormats } from './downloads/downloads.queries'
import { HYDRATION_TIME_KEY } from './lib/useNow'
import { allMissions, topSupporters } from './points/points.queries'
import { activePolls, closedPolls } from './polls/polls.queries'
import { allProducts, physicalProducts } from './products/products.queries'
import { newQueryClient } from './query-client'
import { allReleases, announcedReleases, releaseBySlug } from './releases/releases.queries'
import { newRouter } from './routes'
import { applyCurrency, legalTextKey, siteConfig } from './site/site.queries'
import { allTracks } from './tracks/tracks.queries'

const QUERY_KEYS: Readonly<
  Record<Exclude<keyof PageData, 'show' | 'release' | 'challengeById' | 'legalText'>, readonly unknown[]>
> = {
  config: siteConfig.queryKey,
  isVisitor: VISITOR_PAGE_KEY,
  tracks: allTracks.queryKey,
  products: allProducts.queryKey,
  physicalProducts: physicalProducts.queryKey,
  variantFormats: variantFormats.queryKey,
  upcomingConcerts: upcomingConcerts.queryKey,
  concerts: allConcerts.queryKey,
  releases: allReleases.queryKey,
  announcedReleases: announcedReleases.queryKey,
  polls: activePolls.queryKey,
  closedPolls: closedPolls.queryKey,
  posts: communityFeed.queryKey,
  exclusivePosts: exclusivePosts.queryKey,
  leaderboard: topSupporters.queryKey,
  missions: allMissions.queryKey,
  latestResult: hallOfFame.queryKey,
  challengeState: currentChallengeState.queryKey,
  currentChallenge: currentChallenge.queryKey,
  hydrationTime: HYDRATION_TIME_KEY,
}

/** Entries of the query cache, for hydration. */
export type DehydratedQueries = (readonly [key: readonly unknown[], data: unknown])[]

/** Renders a page with the browser's routes and components. `state` is the data that the browser hydrates with. */
export async function render(
  path: string,
  data: Partial<PageData> = {},
): Promise<{ html: string; state: DehydratedQueries }> {
  const keys = {
    ...QUERY_KEYS,
    challengeById: challengeById(data.challengeById?.id ?? '').queryKey,
    show: showPage(data.show?.slug ?? '').queryKey,
    release: releaseBySlug(data.release?.slug ?? '').queryKey,
    legalText: legalTextKey(data.legalText?.id ?? ''),
  }
  // The feed is an infinite query; `posts` is its first page.
  const entries = { ...data, posts: data.posts && { pages: [data.posts], pageParams: [null] } }
  const state: DehydratedQueries = Object.entries(keys)
    .map(([name, key]) => [key, entries[name as keyof PageData]] as const)
    .filter(([, entry]) => entry !== undefined)
  if (data.config) applyCurrency(data.config)
  const queryClient = newQueryClient()
  for (const [key, entry] of state) queryClient.setQueryData(key, entry, { updatedAt: VISITOR_DATA_UPDATED_AT })
  const router = newRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { html, state }
}
