import { useQuery } from '@tanstack/react-query'
import { adminContentApi } from '../../worker/contract/admin-content'
import { allRowsQuery } from './admin.queries'

export const allReleases = allRowsQuery('releases', adminContentApi.releases)
export const allTracks = allRowsQuery('tracks', adminContentApi.tracks)

/** What can be sold or given away, as options of a select: `release:` with this property, or `track:` with the id. */
export function useGoodOptions(releaseKey: 'id' | 'slug') {
  const { data: releases = [] } = useQuery(allReleases)
  const { data: tracks = [] } = useQuery(allTracks)
  return [
    { value: '', label: 'Choose one' },
    ...releases.map((row) => ({ value: `release:${row[releaseKey]}`, label: `${row.title} (${row.kind})` })),
    ...tracks.map(({ id, title }) => ({ value: `track:${id}`, label: `${title} (track)` })),
  ]
}
