import { useQuery } from '@tanstack/react-query'
import { adminReleasesApi, adminTracksApi } from '../../worker/contract/admin-content'
import { allRowsQuery } from '../admin/admin.queries'

export const adminReleases = allRowsQuery('releases', adminReleasesApi.list)
export const adminTracks = allRowsQuery('tracks', adminTracksApi.list)

/** Releases and tracks that can be sold as downloads, as options: `release:<releaseKey>` or `track:<id>`. */
export function useDigitalGoodOptions(releaseKey: 'id' | 'slug') {
  const { data: releases = [] } = useQuery(adminReleases)
  const { data: tracks = [] } = useQuery(adminTracks)
  return [
    { value: '', label: 'Choose one' },
    ...releases.map((row) => ({ value: `release:${row[releaseKey]}`, label: `${row.title} (${row.kind})` })),
    ...tracks.map(({ id, title }) => ({ value: `track:${id}`, label: `${title} (track)` })),
  ]
}
