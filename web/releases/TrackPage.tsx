import '../styles/catalog.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouterState } from '@tanstack/react-router'
import { Lock, Share2 } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import {
  isReleased,
  RELEASE_KIND_LABEL,
  type Release,
  type ReleaseTrack,
  TRACK_COVER_IMAGE,
  trackPath,
  trackTitle,
} from '../../worker/contract/releases'
import { usePageTitle } from '../layout/page-title'
import { RecordPage } from '../layout/RecordPage'
import { formatDuration } from '../lib/format'
import { useServerData } from '../lib/server-data'
import { useHydrated } from '../lib/useHydrated'
import { usePlayback } from '../player/playback-store'
import { parseStartTime } from '../player/start-time'
import { LikeButton } from '../tracks/LikeButton'
import { useTracks } from '../tracks/tracks.queries'
import { buttonClass } from '../ui/Button'
import { lazyDialog } from '../ui/lazy'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { CoverGlow } from './CoverGlow'
import { Credits } from './Credits'
import { LyricsSection } from './LyricsSection'
import { ReleaseCover } from './ReleaseCover'
import { type ReleasePlayback, useReleasePlayback } from './release-playback'
import { releaseBySlug } from './releases.queries'
import { titleStyle } from './title-style'

const ShareSheet = lazyDialog(() => import('../player/ShareSheet').then((m) => m.ShareSheet))

/** /music/{release}/{track} */
export function TrackPage() {
  const { release: slug, track: trackSlug } = useParams({ from: '/music/$release/$track' })
  const query = useServerData(useQuery(releaseBySlug(slug)), releaseBySlug(slug).queryKey)
  const release = query.data && isReleased(query.data) ? query.data : undefined
  const track = release?.tracks.find((candidate) => candidate.slug === trackSlug)
  usePageTitle(release && track && trackTitle(release, track))
  return (
    <RecordPage query={query} isMissing={query.data && !track} noun="track">
      {() => release && track && <PublicTrack key={track.id} release={release} track={track} />}
    </RecordPage>
  )
}

type TrackProps = { release: Release; track: ReleaseTrack }

function PublicTrack({ release, track }: TrackProps) {
  return <TrackDetails release={release} track={track} playback={useReleasePlayback(release)} />
}

type DetailsProps = TrackProps & {
  playback: ReleasePlayback
  /** In a preview, the id of the release; hides like and share, which need a public track. */
  previewId?: string
}

/** The track page of the public site and of a preview. */
export function TrackDetails({ release, track, playback, previewId }: DetailsProps) {
  const liked = useTracks().data?.find(({ id }) => id === track.id)?.liked ?? false
  const isPlaying = playback.isTrackPlaying(track)
  const { title, artist, coverUrl, coverAlt, durationSeconds, credits, isrc, releases } = track
  return (
    <>
      <CoverGlow coverUrl={coverUrl} />
      <article aria-labelledby="track-title" className="page-grid track-poster">
        <div className="track-side">
          <ReleaseCover
            coverUrl={coverUrl}
            coverAlt={coverAlt}
            sizes={TRACK_COVER_IMAGE.sizes}
            eager
            spinning={isPlaying}
            className="track-sleeve"
          />
        </div>
        <div className="track-main">
          <p className="release-details tabular-figures font-label">
            <Link
              {...(previewId === undefined
                ? { to: '/music/$release', params: { release: release.slug } }
                : { to: '/admin/releases/$id/preview', params: { id: previewId } })}
              className="-my-3 inline-flex min-h-12 items-center text-gold-bright underline-offset-4 hover:underline"
            >
              {release.title}
            </Link>
            <span>
              Track {track.position} of {release.trackCount}
            </span>
            <span>{formatDuration(durationSeconds)}</span>
            {release.isExplicit && <span className="explicit-mark">Explicit</span>}
          </p>
          <h1 id="track-title" className="track-title font-display" style={titleStyle(title)}>
            {title}
          </h1>
          <p className="mt-4 text-lg">{artist}</p>
          <div className="mt-6 flex flex-wrap items-center gap-3">
            {playback.isPlayable(track) && <PlayButton track={track} playback={playback} />}
            {previewId === undefined && (
              <>
                <LikeButton
                  track={{ id: track.id, title, liked }}
                  className="border border-rule-strong bg-background/70"
                />
                <ShareButton release={release} track={track} />
              </>
            )}
          </div>
          {playback.isLocked(track) && (
            <p className="mt-6 flex flex-wrap items-center gap-3">
              <Lock size={20} aria-hidden className="shrink-0 text-gold" />
              This track is for Silver and Gold supporters.
              <Link to="/subscribe" search={{ tier: 'silver' }} className="text-gold-bright underline">
                See the tiers
              </Link>
            </p>
          )}
          {track.lyrics && <LyricsSection track={track} lyrics={track.lyrics} playback={playback} />}
        </div>
      </article>
      <div className="page-grid pb-20">
        {credits.length > 0 && (
          <section aria-labelledby="track-credits" className="col-span-full mt-14 lg:col-span-7">
            <h2 id="track-credits" className="mb-5 border-t-2 border-gold pt-4 font-display text-xl">
              Credits
            </h2>
            <Credits credits={credits} />
          </section>
        )}
        <section
          aria-labelledby="track-releases"
          className={`col-span-full mt-14 ${credits.length > 0 ? 'lg:col-span-5 lg:pl-6' : ''}`}
        >
          <h2 id="track-releases" className="mb-5 border-t-2 border-gold pt-4 font-display text-xl">
            Appears on
          </h2>
          <ul>
            {releases.map((appearance) => (
              <li key={appearance.slug} className="border-b border-rule">
                <Link
                  to="/music/$release"
                  params={{ release: appearance.slug }}
                  className="flex min-h-12 items-center justify-between gap-4 py-2 font-semibold hover:text-gold-bright"
                >
                  {appearance.title}
                  <span className="text-sm font-normal text-muted">{RELEASE_KIND_LABEL[appearance.kind]}</span>
                </Link>
              </li>
            ))}
          </ul>
          {isrc && <p className="tabular-figures mt-5 text-sm text-muted">ISRC {isrc}</p>}
        </section>
      </div>
    </>
  )
}

type PlayButtonProps = { track: ReleaseTrack; playback: ReleasePlayback }

/** Plays the track, the first time from the start time in the URL's `?t=`. */
function PlayButton({ track, playback }: PlayButtonProps) {
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const [playedSearch, setPlayedSearch] = useState('')
  const isPlaying = playback.isTrackPlaying(track)
  useEffect(() => {
    if (isPlaying) setPlayedSearch(search)
  }, [isPlaying, search])
  // The server renders without the search parameters.
  const isFirstPlay = useHydrated() && !isPlaying && search !== playedSearch
  const startTime = isFirstPlay ? parseStartTime(search, track.durationSeconds) : null
  const playLabel = startTime ? `Play from ${formatDuration(startTime)}` : 'Play'
  return (
    <button
      type="button"
      onClick={() => (startTime === null ? playback.toggleTrack(track) : playback.playFrom(track, startTime))}
      className={buttonClass('primary')}
    >
      <PlayPauseIcon isPlaying={isPlaying} size={20} />
      {isPlaying ? 'Pause' : playLabel}
      <span className="sr-only">{track.title}</span>
    </button>
  )
}

function ShareButton({ release, track }: { release: Release; track: ReleaseTrack }) {
  const { current, timeSeconds } = usePlayback()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className={buttonClass('outline', 'bg-background/70 max-sm:w-12 max-sm:px-0!')}
      >
        <Share2 size={20} aria-hidden />
        <span className="max-sm:sr-only">Share</span>
      </button>
      {isOpen && (
        <Suspense>
          <ShareSheet
            track={{ ...track, path: trackPath(release.slug, track.slug) }}
            timeSeconds={current?.id === track.id ? timeSeconds : 0}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
