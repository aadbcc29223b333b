import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ArtistLinks } from '../../worker/contract/site'
import { STREAMING_SERVICES, type StreamingService, type Track } from '../../worker/contract/tracks'
import { useMe } from '../auth/auth.queries'
import { formatCountOf, formatDuration } from '../lib/format'
import { usePlayback } from '../player/playback-store'
import { playQueue, togglePlayback } from '../player/player-commands'
import { useSite } from '../site/site.queries'
import { BRAND_NAME, BrandIcon } from '../ui/BrandIcon'
import { buttonClass } from '../ui/Button'
import { EmptyPanel } from '../ui/EmptyPanel'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { featuredTrack, SINGLE_TRACK_ID } from './featured-track'
import { HomePlayer } from './HomePlayer'
import { isUnlocked, toQueueTrack } from './playable-track'
import { TrackList } from './TrackList'
import { useOutboundClick, useTracks } from './tracks.queries'

/** The home page's section with the player, links to streaming services and the track list. */
export function MusicSection() {
  const query = useTracks()
  return (
    <Section id="music" isNumbered title="Latest Releases" note={query.data && countAndDuration(query.data)}>
      <QueryBoundary
        query={query}
        loading={<MusicSkeleton />}
        error="The tracks could not be loaded."
        errorClassName="col-span-full"
      >
        {(tracks) => <MusicContent tracks={tracks} />}
      </QueryBoundary>
    </Section>
  )
}

function MusicContent({ tracks }: { tracks: readonly Track[] }) {
  const links = useSite()?.artist.links
  const tier = useMe()?.tier ?? 'bronze'
  const { current, isPlaying } = usePlayback()
  /** A chosen track that the tier cannot play or that has no audio file; shown until the player's track changes. */
  const [unplayable, setUnplayable] = useState<{ id: number; playerTrackId: number | undefined } | null>(null)
  const unplayableId = unplayable?.playerTrackId === current?.id ? unplayable?.id : undefined
  const track =
    tracks.find(({ id }) => id === unplayableId) ?? tracks.find(({ id }) => id === current?.id) ?? featuredTrack(tracks)
  if (!track)
    return (
      <EmptyPanel title="Side A is still empty" headingLevel="h3">
        <p>The first release is coming soon.</p>
      </EmptyPanel>
    )
  const queue = tracks.filter((each) => each.hasAudio && isUnlocked(each, tier)).map(toQueueTrack)
  const spotifyUrl = tracks.find(({ id }) => id === SINGLE_TRACK_ID)?.spotifyUrl ?? ''

  const choose = (id: number) => {
    const index = queue.findIndex((each) => each.id === id)
    setUnplayable(index < 0 ? { id, playerTrackId: current?.id } : null)
    if (id === current?.id) togglePlayback()
    else if (index >= 0) playQueue(queue, index)
  }
  return (
    <>
      <HomePlayer track={track} tier={tier} queue={queue} shouldFocusTitle={track.id === unplayableId} />
      {links ? <StreamingLinks links={links} spotifyUrl={spotifyUrl} /> : <StreamingLinksSkeleton />}
      <TrackList
        tracks={tracks}
        currentId={track.id}
        playingId={isPlaying ? current?.id : undefined}
        tier={tier}
        onChoose={choose}
      />
      <Link to="/music" className={buttonClass('text', 'col-span-full mt-3 -ml-3 justify-self-start md:mt-6')}>
        All music
      </Link>
    </>
  )
}

/** Text such as '6 tracks, 16:44'; undefined without tracks. */
function countAndDuration(tracks: readonly Track[]): string | undefined {
  if (tracks.length === 0) return undefined
  const seconds = tracks.reduce((sum, { duration }) => sum + duration, 0)
  return `${formatCountOf(tracks.length, 'track')}, ${formatDuration(seconds)}`
}

/** Placeholder with the size of the loaded section. */
function MusicSkeleton() {
  return (
    <>
      <div className="record col-span-full lg:col-span-7">
        <Skeleton className="record-sleeve" label="Loading the tracks" />
      </div>
      <div className="col-span-full max-lg:mt-8 lg:col-span-5 lg:self-center">
        <Skeleton className="h-96" />
      </div>
      <StreamingLinksSkeleton />
      <div className="track-grid col-span-full mt-10">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key}>
            <Skeleton className="aspect-square" />
            <div className="h-25" />
          </div>
        ))}
      </div>
    </>
  )
}

function StreamingLinksSkeleton() {
  return <Skeleton className="col-span-full mt-8 h-[5.625rem] sm:h-33 lg:mt-12 lg:h-23" />
}

/**
 * Links to the artist's pages on streaming services; on Spotify, to the track `SINGLE_TRACK_ID` if it has a link. A
 * click on any of them counts for that track.
 */
function StreamingLinks({ links, spotifyUrl }: { links: ArtistLinks; spotifyUrl: string }) {
  const { mutate } = useOutboundClick()
  const serviceUrl = (service: StreamingService) => (service === 'spotify' && spotifyUrl) || links[service]
  return (
    <div className="col-span-full mt-8 flex gap-x-3 gap-y-4 border-y border-rule py-5 max-sm:items-center sm:max-lg:flex-col lg:mt-12 lg:items-center lg:gap-x-8">
      <h3 className="font-display text-xl">Stream</h3>
      <ul className="grid grow grid-cols-4 gap-1.5 sm:gap-3">
        {STREAMING_SERVICES.filter(serviceUrl).map((service) => (
          <li key={service}>
            <a
              href={serviceUrl(service)}
              target="_blank"
              rel="noopener"
              onClick={() => mutate({ trackId: SINGLE_TRACK_ID, service })}
              className={buttonClass(
                'outline',
                'w-full px-1! whitespace-nowrap text-sm! tracking-normal! normal-case!',
              )}
            >
              <BrandIcon brand={service} />
              <span className="sr-only sm:not-sr-only">{BRAND_NAME[service]}</span>
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
