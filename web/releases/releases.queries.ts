import { queryOptions } from '@tanstack/react-query'
import { releasesApi } from '../../worker/contract/releases'
import { call } from '../api/call'

/** Public releases, newest first. */
export const allReleases = queryOptions({
  queryKey: ['releases'],
  queryFn: () => call(releasesApi.list, {}),
})

export const releaseBySlug = (slug: string) =>
  queryOptions({ queryKey: ['releases', slug], queryFn: () => call(releasesApi.bySlug, { slug }) })
