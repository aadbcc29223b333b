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
                No music yet. Buy a release or redeem a code while you are logged in, and you can download it here
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
