import { useState } from 'react'
import type { Track } from '../../worker/contract/tracks'
import { useMe } from '../auth/auth.queries'
import { formatDuration } from '../lib/format'
import { useSite } from '../site/site.queries'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { featuredTrack, SINGLE_ID } from './featured-track'
import { MusicSkeleton, StreamPanelSkeleton } from './MusicSkeleton'
import { Player } from './Player'
import { StreamPanel } from './StreamPanel'
import { TrackList } from './TrackList'
import { useTracks } from './tracks.queries'

/** Track 01 of the page: the single on the turntable, where else to hear it, and everything that was released. */
export function MusicSection() {
  const { data: tracks, isError, isFetching, refetch } = useTracks()
  return (
    <Section id="music" number="01" title="Latest Releases" note={tracks && runningTime(tracks)}>
      {isError && !tracks ? (
        <div className="col-span-full">
          <LoadError onRetry={refetch} retrying={isFetching}>
            The tracks could not be fetched.
          </LoadError>
        </div>
      ) : tracks ? (
        <Releases tracks={tracks} />
      ) : (
        <MusicSkeleton />
      )}
    </Section>
  )
}

function Releases({ tracks }: { tracks: readonly Track[] }) {
  const links = useSite()?.artist.links
  const tier = useMe()?.tier ?? 'bronze'
  const [chosen, choose] = useState<number | null>(null)
  const [sound, setSound] = useState({ volume: 1, muted: false })
  const track = tracks.find(({ id }) => id === chosen) ?? featuredTrack(tracks)
  if (!track) return <p className="col-span-full text-lg text-muted">The first release is on its way.</p>
  const spotifyUrl = tracks.find(({ id }) => id === SINGLE_ID)?.spotifyUrl ?? ''
  return (
    <>
      <Player key={track.id} {...{ track, tier, sound }} onSound={setSound} chosen={chosen !== null} />
      {links ? <StreamPanel links={links} spotifyUrl={spotifyUrl} /> : <StreamPanelSkeleton />}
      <TrackList tracks={tracks} current={track.id} onChoose={choose} />
    </>
  )
}

/** '6 tracks, 16:44'. */
function runningTime(tracks: readonly Track[]): string | undefined {
  if (tracks.length === 0) return undefined
  const seconds = tracks.reduce((sum, { duration }) => sum + duration, 0)
  return `${tracks.length} ${tracks.length === 1 ? 'track' : 'tracks'}, ${formatDuration(seconds)}`
}
