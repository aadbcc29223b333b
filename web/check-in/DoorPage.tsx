import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { adminSession, useAdminSessionExpiry } from '../admin/admin-session'
import { ApiError } from '../api/call'
import { showPage } from '../concerts/show-page.queries'
import { NotFoundPage } from '../layout/NotFoundPage'
import { Button, buttonClass } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { DoorDisplay } from './DoorDisplay'
import { checkInCode, useRenewSecret } from './door.queries'

/** /admin/shows/{id}/door: what the administrator's phone shows at the entrance. */
export function DoorPage() {
  const { id } = useParams({ from: '/admin/shows/$id/door' })
  const { data: session } = useQuery(adminSession)
  const { data: show } = useQuery({ ...showPage(id), networkMode: 'always' })
  const { data: door, dataUpdatedAt, error, refetch, isFetching } = useQuery(checkInCode(id))
  const renew = useRenewSecret(id)
  const [asks, setAsks] = useState(false)
  useAdminSessionExpiry(session)
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="door">
      <header className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
        <h1 className="font-display text-xl break-words">{show ? show.venue : 'The door'}</h1>
        {show && <p className="text-muted">{show.city}</p>}
      </header>
      {door ? (
        <DoorDisplay
          id={id}
          door={door}
          fetchedAt={dataUpdatedAt}
          error={error}
          timeZone={show?.timeZone ?? 'America/New_York'}
        />
      ) : error ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The code could not be fetched. Once it is there, this page needs no network.
        </LoadError>
      ) : (
        <Skeleton className="h-[32rem]" label="Fetching the door" />
      )}
      <footer className="flex flex-wrap gap-3">
        <Link to="/admin" search={{ tab: 'concerts' }} className={buttonClass('quiet', '-ml-3')}>
          Back to the desk
        </Link>
        {door && (
          <Button variant="quiet" onClick={() => setAsks(true)}>
            New secret
          </Button>
        )}
      </footer>
      {asks && (
        <ConfirmDialog
          title="A new secret for this door?"
          confirm="New secret"
          pending={renew.isPending}
          onClose={() => setAsks(false)}
          onConfirm={() =>
            renew.mutate(undefined, {
              onSuccess: () => {
                setAsks(false)
                toast({ title: 'New secret', text: 'The codes of the old one let nobody in any more.' })
              },
              onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }),
            })
          }
        >
          <p>
            Do this when somebody got hold of the codes. Other phones at this door follow within a minute, once they
            have a network. Visitors who have scanned and not yet signed up have to scan again.
          </p>
        </ConfirmDialog>
      )}
    </main>
  )
}
