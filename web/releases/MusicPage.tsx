import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RELEASE_COVER_IMAGE, RELEASE_KIND_LABEL, type ReleaseSummary } from '../../worker/contract/releases'
import { formatDuration } from '../lib/format'
import { useSite } from '../site/site.queries'
import { QueryBoundary } from '../ui/QueryBoundary'
import { formatDayInZone } from './release-day'
import { allReleases } from './releases.queries'
import { Sleeve } from './Sleeve'
import { titleStyle } from './title-style'

/** /music */
export function MusicPage() {
  const query = useQuery(allReleases)
  const count = query.data?.length ?? 0
  return (
    <main id="content" tabIndex={-1} className="page-grid pt-10 pb-24 md:pt-16">
      <header className="col-span-full mb-8 md:mb-14">
        <p className="mb-4 flex items-baseline justify-between border-t border-rule pt-4 font-label text-muted">
          <span className="figures text-gold">01</span>
          {count > 0 && (
            <span className="figures">
              {count} {count === 1 ? 'release' : 'releases'}
            </span>
          )}
        </p>
        <h1 className="font-display text-title">Music</h1>
      </header>
      <QueryBoundary
        query={query}
        loading={{ className: 'col-span-full h-[44rem]', label: 'Fetching the releases' }}
        error="The releases could not be fetched."
        errorClassName="col-span-full py-16"
      >
        {(releases) =>
          releases.length === 0 ? (
            <p className="col-span-full text-lg text-muted">The first release is on its way.</p>
          ) : (
            <ol aria-label="Releases" className="release-wall">
              {releases.map((release, index) => (
                <li key={release.slug}>
                  <ReleaseTile release={release} isLatest={index === 0} />
                </li>
              ))}
            </ol>
          )
        }
      </QueryBoundary>
    </main>
  )
}

function ReleaseTile({ release, isLatest }: { release: ReleaseSummary; isLatest: boolean }) {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { slug, title, kind, coverUrl, releasedAt, trackCount, durationSeconds } = release
  return (
    <Link to="/music/$release" params={{ release: slug }} className="release-tile">
      <Sleeve
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
        <span className="figures mt-3 block text-sm text-muted">
          {formatDayInZone(releasedAt, zone)}
          <br />
          {trackCount} {trackCount === 1 ? 'track' : 'tracks'}, {formatDuration(durationSeconds)}
        </span>
      </span>
    </Link>
  )
}
