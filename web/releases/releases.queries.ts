import { queryOptions } from '@tanstack/react-query'
import { type AnnouncedRelease, type Release, releasesApi } from '../../worker/contract/releases'
import { call, hasStatus } from '../api/call'

/** Public releases, newest first. */
export const allReleases = queryOptions({
  queryKey: ['releases'],
  queryFn: () => call(releasesApi.list, {}),
})

/** Scheduled releases with a countdown page. */
export const announcedReleases = queryOptions({
  queryKey: ['releases', 'announced', 'all'],
  queryFn: () => call(releasesApi.announced, {}),
})

/** A release, or its announcement before the release time. */
export const releaseBySlug = (slug: string) =>
  queryOptions({
    queryKey: ['releases', slug],
    queryFn: async (): Promise<Release | AnnouncedRelease> => {
      try {
        return await call(releasesApi.bySlug, { slug })
      } catch (error) {
        if (!hasStatus(error, 404)) throw error
        const announced = await call(releasesApi.announced, {})
        const release = announced.find((candidate) => candidate.slug === slug)
        if (release) return release
        // It may have been released between the two requests.
        return await call(releasesApi.bySlug, { slug })
      }
    },
  })
