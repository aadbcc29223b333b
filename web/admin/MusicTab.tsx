import { useQuery } from '@tanstack/react-query'
import { type AdminTrack, adminContentApi, TrackDraft } from '../../worker/contract/admin-content'
import { formatCount } from '../lib/format'
import { adminQuery } from './admin.queries'
import { type CrudDefinition, CrudPanel } from './CrudPanel'
import { useLocalListing } from './listings'

const tracks: CrudDefinition<AdminTrack, TrackDraft> = {
  title: 'Tracks',
  noun: 'track',
  keys: ['tracks'],
  useListing: () =>
    useLocalListing(useQuery(adminQuery('tracks', adminContentApi.tracks)), {
      label: 'Search tracks',
      textOf: (row) => `${row.title} ${row.artist} ${row.album}`,
    }),
  columns: [
    { id: 'title', header: 'Title', cell: (row) => row.title, sortBy: (row) => row.title },
    { id: 'album', header: 'Album', cell: (row) => row.album || 'Single', sortBy: (row) => row.album },
    { id: 'plays', header: 'Plays', cell: (row) => formatCount(row.plays), sortBy: (row) => row.plays, numeric: true },
    { id: 'audio', header: 'Recording', cell: (row) => (row.audio ? 'Yes' : 'None yet') },
  ],
  nameOf: (row) => row.title,
  form: {
    schema: TrackDraft,
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'artist', label: 'Artist' },
      { name: 'album', label: 'Album', optional: true, hint: 'Empty for a single.' },
      { name: 'durationSeconds', label: 'Length in seconds', kind: 'number', hint: 'Read from the recording.' },
      { name: 'audio', label: 'Recording', kind: 'audio', durationField: 'durationSeconds' },
      { name: 'coverUrl', label: 'Cover', kind: 'image', crop: 'cover' },
      { name: 'coverAlt', label: 'What the cover shows', wide: true },
      { name: 'spotifyUrl', label: 'Spotify link', kind: 'url', optional: true },
      { name: 'position', label: 'Place in the list', kind: 'number' },
      { name: 'isTrending', label: 'Trending', kind: 'checkbox', hint: 'The first one is the featured track.' },
      { name: 'isExclusive', label: 'Silver and Gold only', kind: 'checkbox' },
    ],
    toDraft: ({ id: _, plays: __, ...draft }) => draft,
    blank: {
      audio: null,
      coverUrl: '',
      album: '',
      spotifyUrl: '',
      isTrending: false,
      isExclusive: false,
      position: 100,
    },
  },
  add: adminContentApi.addTrack,
  update: adminContentApi.updateTrack,
  remove: adminContentApi.removeTrack,
  restore: adminContentApi.restoreTrack,
}

export const MusicTab = () => <CrudPanel definition={tracks} />
