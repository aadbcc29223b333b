import type { QueryClient } from '@tanstack/react-query'
import { allReleases, announcedReleases, releaseBySlug } from './releases.queries'

// One lazy chunk: the pages share their code.
export { MusicPage } from './MusicPage'
export { ReleasePage } from './ReleasePage'
export { TrackPage } from './TrackPage'

export const requestReleases = (queryClient: QueryClient) =>
  Promise.all([queryClient.ensureQueryData(allReleases), queryClient.ensureQueryData(announcedReleases)])
export const requestRelease = (queryClient: QueryClient, slug: string) =>
  queryClient.ensureQueryData(releaseBySlug(slug))
