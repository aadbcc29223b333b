import type { QueryClient } from '@tanstack/react-query'
import { allReleases, announcedReleases, releaseBySlug } from './releases.queries'

// One lazy chunk: the pages share their code.
export { MusicPage } from './MusicPage'
export { ReleasePage } from './ReleasePage'
export { TrackPage } from './TrackPage'

export const requestReleases = (queries: QueryClient) =>
  Promise.all([queries.ensureQueryData(allReleases), queries.ensureQueryData(announcedReleases)])
export const requestRelease = (queries: QueryClient, slug: string) => queries.ensureQueryData(releaseBySlug(slug))
