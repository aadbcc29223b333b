import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Lock, Pause, Play, Share2 } from 'lucide-react'
import {
  RELEASE_KIND_LABEL,
  type Release,
  type ReleaseTrack,
  TRACK_COVER_IMAGE,
  trackTitle,
} from '../../worker/contract/releases'
import { ApiError } from '../api/call'
import { NotFoundPage } from '../layout/ErrorPage'
import { usePageTitle } from '../layout/page-title'
import { formatDuration } from '../lib/format'
import { LikeButton } from '../tracks/LikeButton'
import { useTracks } from '../tracks/tracks.queries'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { Credits } from './Credits'
import { LyricsSection } from './LyricsSection'
import { useReleasePlayback } from './release-playback'
import { releaseBySlug } from './releases.queries'
import { CoverGlow, Sleeve } from './Sleeve'
import { titleStyle } from './title-style'

/** /music/{release}/{track} */
export function TrackPage() {
  const { release: slug, track: trackSlug } = useParams({ from: '/music/$release/$track' })
  const query = useQuery(releaseBySlug(slug))
  const track = query.data?.tracks.find((candidate) => candidate.slug === trackSlug)
  usePageTitle(query.data && track && trackTitle(query.data, track))
  const isUnknownRelease = query.error instanceof ApiError && query.error.status === 404
  if (isUnknownRelease || (query.data && !track)) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="release-page">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-[60rem]', label: 'Fetching the track' }}
        error="The track could not be fetched."
        errorClassName="page-grid py-16"
      >
        {(release) => track && <TrackDetails key={track.id} release={release} track={track} />}
      </QueryBoundary>
    </main>
  )
}

function TrackDetails({ release, track }: { release: Release; track: ReleaseTrack }) {
  const playback = useReleasePlayback(release)
  const liked = useTracks().data?.find(({ id }) => id === track.id)?.liked ?? false
  const isPlaying = playback.isTrackPlaying(track)
  const { title, artist, coverUrl, coverAlt, durationSeconds, credits, isrc, releases } = track
  return (
    <>
      <CoverGlow coverUrl={coverUrl} />
      <article aria-labelledby="track-title" className="page-grid track-poster">
        <div className="track-side">
          <Sleeve
            coverUrl={coverUrl}
            coverAlt={coverAlt}
            sizes={TRACK_COVER_IMAGE.sizes}
            eager
            spinning={isPlaying}
            className="track-sleeve"
          />
        </div>
        <div className="track-main">
          <p className="release-facts figures font-label">
            <Link
              to="/music/$release"
              params={{ release: release.slug }}
              className="text-gold-bright underline-offset-4 hover:underline"
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
            {playback.isPlayable(track) && (
              <button type="button" onClick={() => playback.toggleTrack(track)} className={buttonClass('primary')}>
                {isPlaying ? (
                  <Pause size={20} fill="currentColor" aria-hidden />
                ) : (
                  <Play size={20} fill="currentColor" aria-hidden />
                )}
                {isPlaying ? 'Pause' : 'Play'}
                <span className="sr-only">{title}</span>
              </button>
            )}
            <LikeButton track={{ id: track.id, title, liked }} className="border border-rule-strong bg-ground/70" />
            <button
              type="button"
              onClick={() => void share(`${title} by ${artist}`)}
              className={buttonClass('outline', 'bg-ground/70')}
            >
              <Share2 size={20} aria-hidden />
              Share
            </button>
          </div>
          {playback.isLocked(track) && (
            <p className="mt-6 flex flex-wrap items-center gap-3">
              <Lock size={20} aria-hidden className="shrink-0 text-gold" />
              This one is kept for Silver and Gold supporters.
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
          {isrc && <p className="figures mt-5 text-sm text-muted">ISRC {isrc}</p>}
        </section>
      </div>
    </>
  )
}

/** The share sheet of the device, else the link on the clipboard. */
async function share(title: string): Promise<void> {
  const url = `${location.origin}${location.pathname}`
  try {
    if (navigator.share) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast({ title: 'Link copied', text: url })
  } catch (error) {
    // The visitor closed the share sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ title: 'The link could not be copied', text: url, tone: 'destructive' })
  }
}
