import { useTracks } from '../music/tracks.queries'
import { type Column, DataTable } from '../ui/DataTable'
import { Panel } from './Panel'
import { useWholeList } from './useListing'

type Row = NonNullable<ReturnType<typeof useTracks>['data']>[number]

const count = new Intl.NumberFormat('en-US')
const columns: readonly Column<Row>[] = [
  { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
  { id: 'album', header: 'Album', cell: (row) => row.album || 'Single', sortBy: (row) => row.album },
  { id: 'plays', header: 'Plays', cell: (row) => count.format(row.plays), sortBy: (row) => row.plays, numeric: true },
  { id: 'likes', header: 'Likes', cell: (row) => count.format(row.likes), sortBy: (row) => row.likes, numeric: true },
]

/** Every track. */
export function MusicTab() {
  const listing = useWholeList(useTracks(), {
    label: 'Search tracks',
    textOf: (row) => `${row.title} ${row.artist} ${row.album}`,
  })
  return (
    <Panel title="Tracks">
      <DataTable
        caption="Tracks"
        listing={listing}
        columns={columns}
        rowKey={(row) => String(row.id)}
        empty="No track yet."
      />
    </Panel>
  )
}
