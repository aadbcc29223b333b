import { useQuery } from '@tanstack/react-query'
import { NewsletterSettings } from '../newsletter/NewsletterSettings'
import { AccountOrders } from '../orders/AccountOrders'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { account } from './account.queries'
import { useMe } from './auth.queries'
import { DataSettings } from './DataSettings'
import { PasswordSettings } from './PasswordSettings'
import { ProfileSettings } from './ProfileSettings'

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** /account: what is the supporter's own to see, change, take along and end. */
export function AccountPage() {
  const isLoggedIn = Boolean(useMe())
  const { data, error, refetch, isFetching } = useQuery({ ...account, enabled: isLoggedIn })
  return (
    <main id="content" className="page-grid py-10 md:py-20">
      <header className="col-span-full mb-10 md:mb-16">
        <h1 className="font-display text-title">Your account</h1>
        {data && (
          <p className="mt-4 text-muted">
            A supporter since <time dateTime={data.createdAt}>{dateFormat.format(Date.parse(data.createdAt))}</time>
          </p>
        )}
      </header>
      {/* Whoever has just logged out stands here until the next screen comes: their parts ask for nothing any more. */}
      {data && isLoggedIn && (
        <>
          <ProfileSettings account={data} />
          {data.email && <NewsletterSettings email={data.email} />}
          <AccountOrders />
          <PasswordSettings account={data} />
          <DataSettings account={data} />
        </>
      )}
      {!data && (
        <div className="col-span-full">
          {error ? (
            <LoadError onRetry={() => void refetch()} retrying={isFetching}>
              Your account could not be fetched.
            </LoadError>
          ) : (
            <Skeleton className="h-96" label="Fetching your account" />
          )}
        </div>
      )}
    </main>
  )
}
