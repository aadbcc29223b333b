import { useQuery } from '@tanstack/react-query'
import { NewsletterPart } from '../newsletter/NewsletterPart'
import { OrdersPart } from '../orders/OrdersPart'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { account } from './account.queries'
import { useMe } from './auth.queries'
import { DataPart } from './DataPart'
import { PasswordPart } from './PasswordPart'
import { ProfilePart } from './ProfilePart'

const written = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** /account: what is the supporter's own to see, change, take along and end. */
export function AccountPage() {
  const isHere = Boolean(useMe())
  const { data, error, refetch, isFetching } = useQuery({ ...account, enabled: isHere })
  return (
    <main id="content" className="page-grid py-10 md:py-20">
      <header className="col-span-full mb-10 md:mb-16">
        <h1 className="font-display text-title">Your account</h1>
        {data && (
          <p className="mt-4 text-muted">
            A supporter since <time dateTime={data.createdAt}>{written.format(Date.parse(data.createdAt))}</time>
          </p>
        )}
      </header>
      {/* Whoever has just logged out stands here until the next screen comes: their parts ask for nothing any more. */}
      {data && isHere && (
        <>
          <ProfilePart account={data} />
          {data.email && <NewsletterPart email={data.email} />}
          <OrdersPart />
          <PasswordPart account={data} />
          <DataPart account={data} />
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
