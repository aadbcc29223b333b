import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { adminReleasesApi, adminTracksApi } from '../../worker/contract/admin-content'
import type { Release, ReleaseTrack } from '../../worker/contract/releases'
import { formatDayInZone, formatTimeInZone } from '../../worker/contract/zoned-time'
import { ScreenLink } from '../admin/ScreenLink'
import { call, fillPath } from '../api/call'
import { usePageTitle } from '../layout/page-title'
import { useSite } from '../site/site.queries'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { ReleaseDetails } from './ReleasePage'
import type { ReleasePlayback } from './release-playback'
import { TrackDetails } from './TrackPage'

const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'releases', id, 'preview'],
    queryFn: () => call(adminReleasesApi.preview, { id }),
    staleTime: 0,
  })

/** /admin/releases/$id/preview: the page of a release, out or not; with `?track=`, the page of one of its tracks. */
export function ReleasePreviewPage() {
  const { id } = useParams({ from: '/admin/releases/$id/preview' })
  const { track: trackSlug } = useSearch({ from: '/admin/releases/$id/preview' })
  const query = useQuery(previewQuery(id))
  usePageTitle(query.data && `Preview of ${query.data.title}`)
  return (
    <main id="content" tabIndex={-1} className="release-page">
      {query.data && <PreviewBanner id={id} release={query.data} isTrack={trackSlug !== undefined} />}
      <QueryBoundary
        query={query}
        loading={{ className: 'h-[60rem]', label: 'Loading the preview' }}
        error="The preview could not be loaded. Try again; the release may have been deleted."
        errorClassName="page-grid py-16"
      >
        {(release) => <Preview id={id} release={release} trackSlug={trackSlug} />}
      </QueryBoundary>
    </main>
  )
}

function PreviewBanner({ id, release, isTrack }: { id: string; release: Release; isTrack: boolean }) {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { releasedAt } = release
  const isOut = Date.parse(releasedAt) <= Date.now()
  const linkClass = 'inline-flex min-h-12 items-center gap-2 font-label underline underline-offset-4'
  return (
    <aside aria-label="Preview" className="preview-banner">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 px-gutter">
        <p className="py-3">
          <strong>
            {isOut ? 'Preview, public since ' : 'Preview, public on '}
            <time dateTime={releasedAt} className="tabular-figures">
              {formatDayInZone(releasedAt, zone)} at {formatTimeInZone(releasedAt, zone)}
            </time>
          </strong>
          . Only the team sees this page, as it was last saved.
        </p>
        <span className="flex flex-wrap gap-x-6">
          {isTrack && (
            <Link to="/admin/releases/$id/preview" params={{ id }} className={linkClass}>
              Whole release
            </Link>
          )}
          <ScreenLink screen="release" params={{ id }} className={linkClass}>
            <ArrowLeft size={18} aria-hidden />
            Back to the editor
          </ScreenLink>
        </span>
      </div>
    </aside>
  )
}

function Preview({ id, release, trackSlug }: { id: string; release: Release; trackSlug: string | undefined }) {
  const playback = usePreviewPlayback(release)
  const track = release.tracks.find(({ slug }) => slug === trackSlug)
  return track ? (
    <TrackDetails release={release} track={track} playback={playback} previewId={id} />
  ) : (
    <ReleaseDetails release={release} playback={playback} previewId={id} />
  )
}

const STOPPED_PLAYBACK = { track: null as ReleaseTrack | null, isPlaying: false, timeSeconds: 0 }

/** Plays the tracks, released or not, in a separate audio element: no streams are counted, the player's queue stays. */
function usePreviewPlayback(release: Release): ReleasePlayback {
  const audio = useMemo(() => new Audio(), [])
  const [{ track: current, isPlaying, timeSeconds }, setState] = useState(STOPPED_PLAYBACK)
  const playable = release.tracks.filter(({ hasAudio }) => hasAudio)

  function play(track: ReleaseTrack, startAtSeconds = 0): void {
    if (current?.id !== track.id) audio.src = fillPath(adminTracksApi.audio.path, { id: String(track.id) })
    if (current?.id !== track.id || startAtSeconds > 0) audio.currentTime = startAtSeconds
    setState((state) => ({ ...state, track }))
    audio.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({
        title: `“${track.title}” could not be played`,
        text: 'Open the track in the editor and upload its recording again.',
        tone: 'destructive',
      })
    })
  }
  const toggle = (track: ReleaseTrack) => (isPlaying && current?.id === track.id ? audio.pause() : play(track))

  useEffect(() => {
    const update = () => setState((state) => ({ ...state, isPlaying: !audio.paused, timeSeconds: audio.currentTime }))
    const events = ['play', 'pause', 'timeupdate', 'seeked'] as const
    for (const event of events) audio.addEventListener(event, update)
    return () => {
      for (const event of events) audio.removeEventListener(event, update)
      audio.pause()
    }
  }, [audio])
  useEffect(() => {
    audio.onended = () => {
      const next = playable[playable.findIndex(({ id }) => id === current?.id) + 1]
      if (next) play(next)
    }
  })

  return {
    isLocked: () => false,
    isPlayable: ({ hasAudio }) => hasAudio,
    hasPlayableTrack: playable.length > 0,
    currentTrackId: current?.id ?? null,
    isReleasePlaying: isPlaying,
    isTrackPlaying: ({ id }) => isPlaying && current?.id === id,
    positionIn: ({ id }) => (current?.id === id ? timeSeconds : null),
    toggleRelease() {
      const track = current ?? playable[0]
      if (track) toggle(track)
    },
    toggleTrack: toggle,
    playFrom: play,
  }
}
