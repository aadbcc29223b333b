import '../styles/catalog.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { Suspense } from 'react'
import { RELEASE_COVER_IMAGE, RELEASE_KIND_LABEL, type ReleaseSummary } from '../../worker/contract/releases'
import { formatDayInZone } from '../../worker/contract/zoned-time'
import { useMe } from '../auth/auth.queries'
import { useScrollToHash } from '../home/useScrollToHash'
import { formatCountOf, formatDuration } from '../lib/format'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { EmptyPanel } from '../ui/EmptyPanel'
import { EmptyFallback, lazyOptional } from '../ui/lazy'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { SectionHeader } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { ReleaseCover } from './ReleaseCover'
import { allReleases, announcedReleases } from './releases.queries'
import { titleStyle } from './title-style'

const Favorites = lazyOptional(() => import('../tracks/Favorites').then((m) => m.Favorites), EmptyFallback)

/** /music */
export function MusicPage() {
  const query = useQuery(allReleases)
  const isSupporter = Boolean(useMe())
  const count = query.data?.length ?? 0
  // Scrolls to #favorites, which appears after the session has loaded.
  useScrollToHash()
  return (
    <main id="content" tabIndex={-1} className="page-grid pt-10 pb-24 md:pt-16">
      <SectionHeader number="01" note={count > 0 ? formatCountOf(count, 'release') : undefined}>
        <h1 className="font-display text-title">Music</h1>
      </SectionHeader>
      <AnnouncedReleases />
      <QueryBoundary
        query={query}
        loading={{ className: 'col-span-full h-[44rem]', label: 'Loading the releases' }}
        error="The releases could not be loaded."
        errorClassName="col-span-full py-16"
      >
        {(releases) =>
          releases.length === 0 ? (
            <EmptyPanel title="Side A is still empty" headingLevel="h2">
              <p>The first release is coming soon. Leave your email to hear it first.</p>
              <Link to="/" hash="newsletter" className={buttonClass('primary')}>
                Get the newsletter
              </Link>
            </EmptyPanel>
          ) : (
            <ol aria-label="Releases" className="tile-wall">
              {releases.map((release, index) => (
                <li key={release.slug}>
                  <ReleaseTile release={release} isLatest={index === 0} />
                </li>
              ))}
            </ol>
          )
        }
      </QueryBoundary>
      {isSupporter && (
        <section id="favorites" tabIndex={-1} aria-labelledby="favorites-title" className="col-span-full mt-20">
          <h2 id="favorites-title" className="mb-6 border-t-2 border-gold pt-4 font-display text-xl">
            Your favorites
          </h2>
          <Suspense fallback={<Skeleton className="h-40" label="Loading your favorites" />}>
            <Favorites />
          </Suspense>
        </section>
      )}
    </main>
  )
}

/** Links to the countdown pages. */
function AnnouncedReleases() {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { data: releases = [] } = useQuery(announcedReleases)
  if (releases.length === 0) return null
  return (
    <ul aria-label="Coming soon" className="announced-releases">
      {releases.map(({ slug, title, kind, coverUrl, releasedAt }) => (
        <li key={slug}>
          <Link to="/music/$release" params={{ release: slug }} className="announced-release">
            <ResponsiveImage src={coverUrl} alt="" sizes="6rem" className="aspect-square" />
            <span className="min-w-0">
              <span className="block font-label text-gold">{RELEASE_KIND_LABEL[kind]}, coming soon</span>
              <span className="announced-title font-display">{title}</span>
              <span className="tabular-figures block text-sm text-muted">{formatDayInZone(releasedAt, zone)}</span>
            </span>
            <ArrowRight size={24} aria-hidden className="ml-auto shrink-0 text-gold" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ReleaseTile({ release, isLatest }: { release: ReleaseSummary; isLatest: boolean }) {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { slug, title, kind, coverUrl, releasedAt, trackCount, durationSeconds } = release
  return (
    <Link to="/music/$release" params={{ release: slug }} className="release-tile">
      <ReleaseCover
        coverUrl={coverUrl}
        coverAlt=""
        sizes={isLatest ? RELEASE_COVER_IMAGE.sizes : '(width < 48rem) 78vw, 36vw'}
        eager={isLatest}
      />
      <span className="block min-w-0">
        <span className="block font-label text-gold">
          {RELEASE_KIND_LABEL[kind]}
          {isLatest && ', out now'}
        </span>
        <h2 className="release-tile-title font-display" style={titleStyle(title)}>
          {title}
        </h2>
        <span className="tabular-figures mt-3 block text-sm text-muted">
          {formatDayInZone(releasedAt, zone)}
          <br />
          {formatCountOf(trackCount, 'track')}, {formatDuration(durationSeconds)}
        </span>
      </span>
    </Link>
  )
}
