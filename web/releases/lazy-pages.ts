import type { QueryClient } from '@tanstack/react-query'
import { allReleases, announcedReleases, releaseBySlug } from './releases.queries'

// The pages share code, so they load as one chunk.
export { MusicPage } from './MusicPage'
export { ReleasePage } from './ReleasePage'
export { TrackPage } from './TrackPage'

export const preloadReleases = (queryClient: QueryClient) =>
  Promise.all([queryClient.ensureQueryData(allReleases), queryClient.ensureQueryData(announcedReleases)])
export const preloadRelease = (queryClient: QueryClient, slug: string) =>
  queryClient.ensureQueryData(releaseBySlug(slug))
