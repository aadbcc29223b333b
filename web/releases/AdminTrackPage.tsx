import { useQuery } from '@tanstack/react-query'
import type { AdminTrack } from '../../worker/contract/admin-content'
import { EditableRecordPage } from '../admin/list/EditableRecordPage'
import { ScreenLink } from '../admin/ScreenLink'
import { useScreenParam } from '../admin/screen-location'
import { MasterField } from '../uploads/MasterField'
import { adminReleases } from './music-admin.queries'
import { TRACK_AUDIO_PICKER_ID, trackList } from './track-form'

/** /admin/tracks/$id edits a track and its master; `new` adds a track. */
export function AdminTrackPage() {
  const id = useScreenParam('id')
  return (
    <EditableRecordPage
      key={id}
      definition={trackList}
      id={id}
      back="music"
      before={(track) => <TrackReleases track={track} />}
      after={({ id, title, audio }) => (
        <MasterField trackId={id} trackTitle={title} hasAudio={audio !== null} audioPickerId={TRACK_AUDIO_PICKER_ID} />
      )}
    />
  )
}

/** Links to the releases that a track is on. */
function TrackReleases({ track }: { track: AdminTrack }) {
  const releases = (useQuery(adminReleases).data ?? []).filter(({ trackIds }) => trackIds.includes(Number(track.id)))
  return (
    <p className="-mt-4 mb-8 flex min-h-6 flex-wrap gap-x-6 text-muted">
      {releases.map(({ id, title }) => (
        <span key={id}>
          On{' '}
          <ScreenLink screen="release" params={{ id }} className="underline underline-offset-4 hover:text-gold-bright">
            {title}
          </ScreenLink>
        </span>
      ))}
    </p>
  )
}
