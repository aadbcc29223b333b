import { useQuery } from '@tanstack/react-query'
import { adminReleasesApi, adminTracksApi } from '../../worker/contract/admin-content'
import { allRowsQuery } from '../admin/admin.queries'

export const allReleases = allRowsQuery('releases', adminReleasesApi.list)
export const allTracks = allRowsQuery('tracks', adminTracksApi.list)

/** Releases and tracks that can be sold as downloads, as options: `release:<releaseKey>` or `track:<id>`. */
export function useDigitalGoodOptions(releaseKey: 'id' | 'slug') {
  const { data: releases = [] } = useQuery(allReleases)
  const { data: tracks = [] } = useQuery(allTracks)
  return [
    { value: '', label: 'Choose one' },
    ...releases.map((row) => ({ value: `release:${row[releaseKey]}`, label: `${row.title} (${row.kind})` })),
    ...tracks.map(({ id, title }) => ({ value: `track:${id}`, label: `${title} (track)` })),
  ]
}
