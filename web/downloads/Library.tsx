import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../auth/auth.queries'
import { SettingsSection } from '../auth/SettingsSection'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { DownloadList } from './DownloadList'
import { myDownloads } from './downloads.queries'

/** Everything that the account can download. */
export function Library() {
  const query = useQuery({ ...myDownloads, enabled: Boolean(useMe()) })
  return (
    <SettingsSection title="Your library">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-32 max-w-2xl', label: 'Loading your library' }}
        error="Your library could not be loaded."
      >
        {(downloads) =>
          downloads.length > 0 ? (
            <DownloadList downloads={downloads} />
          ) : (
            <>
              <p className="text-muted">
                No music yet. Releases that you buy, and codes that you redeem, while logged in stay here, to download
                whenever you like.
              </p>
              <Link to="/merch" className={buttonClass('outline', 'mt-5')}>
                See the merch
              </Link>
            </>
          )
        }
      </QueryBoundary>
    </SettingsSection>
  )
}
