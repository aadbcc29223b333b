import '../styles/catalog.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { isReleased, type Release, type ReleaseTrack, releaseTitle } from '../../worker/contract/releases'
import { formatDayInZone, utcToZonedTime } from '../../worker/contract/zoned-time'
import { usePageTitle } from '../layout/page-title'
import { RecordPage } from '../layout/RecordPage'
import { formatCountOf, formatDuration } from '../lib/format'
import { useServerData } from '../lib/server-data'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { PlayPauseIcon } from '../ui/PlayPauseIcon'
import { Credits } from './Credits'
import { ReleaseCountdown } from './ReleaseCountdown'
import { ReleaseHero } from './ReleaseHero'
import { type ReleasePlayback, useReleasePlayback } from './release-playback'
import { releaseBySlug } from './releases.queries'

/** /music/{release} */
export function ReleasePage() {
  const { release: slug } = useParams({ from: '/music/$release' })
  const query = useServerData(useQuery(releaseBySlug(slug)), releaseBySlug(slug).queryKey)
  usePageTitle(query.data && releaseTitle(query.data))
  return (
    <RecordPage query={query} noun="release">
      {(release) =>
        isReleased(release) ? <PublicRelease release={release} /> : <ReleaseCountdown release={release} />
      }
    </RecordPage>
  )
}

function PublicRelease({ release }: { release: Release }) {
  return <ReleaseDetails release={release} playback={useReleasePlayback(release)} />
}

type DetailsProps = {
  release: Release
  playback: ReleasePlayback
  /** In a preview, the id of the release: links then open the previews of its tracks. */
  previewId?: string
}

/** The content of a release's page and of its preview. */
export function ReleaseDetails({ release, playback, previewId }: DetailsProps) {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { artist, releasedAt, isExplicit, tracks, durationSeconds } = release
  return (
    <>
      <ReleaseHero
        release={release}
        details={
          <>
            <time dateTime={releasedAt}>{formatDayInZone(releasedAt, zone)}</time>
            <span>
              {formatCountOf(tracks.length, 'track')}, {formatDuration(durationSeconds)}
            </span>
            {isExplicit && <span className="explicit-mark">Explicit</span>}
          </>
        }
        spinning={playback.isReleasePlaying}
      >
        <div className="flex items-center gap-5">
          {playback.hasPlayableTrack && (
            <button type="button" onClick={playback.toggleRelease} className="play-release">
              <PlayPauseIcon isPlaying={playback.isReleasePlaying} size={36} playClassName="ml-1" />
              <span className="sr-only">{playback.isReleasePlaying ? 'Pause Release' : 'Play Release'}</span>
            </button>
          )}
          <p className="leading-tight">
            {playback.hasPlayableTrack && (
              <span aria-hidden="true" className="block font-label text-gold-bright">
                {playback.isReleasePlaying ? 'Now playing' : 'Play Release'}
              </span>
            )}
            <span className="mt-1 block text-lg font-semibold">{artist}</span>
          </p>
        </div>
        <ol aria-label="Tracks" className="release-tracks">
          {tracks.map((track) => (
            <TrackRow key={track.id} {...{ track, releaseSlug: release.slug, playback, previewId }} />
          ))}
        </ol>
      </ReleaseHero>
      <LinerNotes release={release} year={utcToZonedTime(Date.parse(releasedAt), zone).date.slice(0, 4)} />
    </>
  )
}

type TrackRowProps = Pick<DetailsProps, 'playback' | 'previewId'> & { track: ReleaseTrack; releaseSlug: string }

function TrackRow({ track, releaseSlug, playback, previewId }: TrackRowProps) {
  const { title, slug, position, durationSeconds, isExclusive } = track
  const isPlaying = playback.isTrackPlaying(track)
  const isPlayable = playback.isPlayable(track)
  const isLocked = playback.isLocked(track)
  return (
    <li className="release-track" aria-current={playback.currentTrackId === track.id || undefined}>
      <span aria-hidden="true" className="tabular-figures font-display text-gold">
        {String(position).padStart(2, '0')}
      </span>
      <Link
        {...(previewId === undefined
          ? { to: '/music/$release/$track', params: { release: releaseSlug, track: slug } }
          : { to: '/admin/releases/$id/preview', params: { id: previewId }, search: { track: slug } })}
        className="release-track-title"
      >
        {title}
        {isExclusive && <span className="block text-sm font-normal text-muted">Silver/Gold</span>}
      </Link>
      <span className="tabular-figures text-sm text-muted">{formatDuration(durationSeconds)}</span>
      {isPlayable && (
        <button type="button" onClick={() => playback.toggleTrack(track)} className="round-button">
          <PlayPauseIcon isPlaying={isPlaying} size={18} playClassName="ml-0.5" />
          <span className="sr-only">{`${isPlaying ? 'Pause' : 'Play'} ${title}`}</span>
        </button>
      )}
      {isLocked && (
        <Link to="/subscribe" search={{ tier: 'silver' }} className="round-button text-gold">
          <Lock size={18} aria-hidden />
          <span className="sr-only">{`${title} is for Silver and Gold: see the tiers`}</span>
        </Link>
      )}
      {!isPlayable && !isLocked && <span />}
    </li>
  )
}

function LinerNotes({ release: { notes, credits, label, upc }, year }: { release: Release; year: string }) {
  return (
    <div className="page-grid pb-20">
      {notes && (
        <NotesSection title="Liner notes" className={credits.length > 0 ? 'lg:col-span-7' : ''}>
          <div className="liner-notes">
            {notes.split(/\n\s*\n/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </NotesSection>
      )}
      {credits.length > 0 && (
        <NotesSection title="Credits" className={notes ? 'lg:col-span-5 lg:pl-6' : ''}>
          <Credits credits={credits} />
        </NotesSection>
      )}
      <div className="col-span-full mt-14 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-rule pt-6">
        <p className="tabular-figures text-sm text-muted">
          {label && `© ${year} ${label}`}
          {label && upc && <br />}
          {upc && `UPC ${upc}`}
        </p>
        <Link to="/music" className={buttonClass('text', '-mx-3')}>
          All music
        </Link>
      </div>
    </div>
  )
}

function NotesSection({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`col-span-full mt-14 ${className}`}>
      <h2 className="mb-5 border-t-2 border-gold pt-4 font-display text-xl">{title}</h2>
      {children}
    </section>
  )
}
