import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { ShowPage as ShowData } from '../../worker/contract/check-in'
import { showPath, showTitle } from '../../worker/contract/concerts'
import { hasStatus } from '../api/call'
import { useMe, VISITOR_DATA_UPDATED_AT } from '../auth/auth.queries'
import { CheckInPanel } from '../check-in/CheckInPanel'
import { checkInState } from '../check-in/check-in-times'
import { ShowCard } from '../concerts/ShowCard'
import { ShowPrompts } from '../concerts/ShowPrompts'
import { ticketLabel } from '../concerts/show-format'
import { showPage, useAttendance } from '../concerts/show-page.queries'
import { NotFoundPage } from '../layout/ErrorPage'
import { usePageTitle } from '../layout/page-title'
import { useNow } from '../lib/useNow'
import { Button, buttonClass } from '../ui/Button'
import { CheckField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'

export const preloadShow = (queryClient: QueryClient, slug: string) => queryClient.ensureQueryData(showPage(slug))

/** /shows/{show}: `show` is the slug. In old links it is the id, and the page redirects to the slug. */
export function ShowPage() {
  const { show: slug } = useParams({ from: '/shows/$show' })
  const query = useQuery(showPage(slug))
  const { dataUpdatedAt, error, refetch } = query
  // The server-rendered page is anonymous and cached, so refetch for personal data and the server's clock.
  const isAnonymous = dataUpdatedAt === VISITOR_DATA_UPDATED_AT
  useEffect(() => {
    if (isAnonymous) void refetch()
  }, [isAnonymous, refetch])
  usePageTitle(query.data && showTitle(query.data))
  if (hasStatus(error, 404)) return <NotFoundPage />
  if (query.data && query.data.slug !== slug)
    return <Navigate to="/shows/$show" params={{ show: query.data.slug }} hash replace />
  return (
    <main id="content" tabIndex={-1} className="page-grid pt-6 pb-20">
      <QueryBoundary
        query={query}
        loading={{ className: 'col-span-full mb-14 h-[44rem]', label: 'Loading the show' }}
        error="The show could not be loaded."
        errorClassName="col-span-full py-16"
      >
        {(show) => <ShowDetails show={show} clockOffsetMs={isAnonymous ? 0 : Date.parse(show.now) - dataUpdatedAt} />}
      </QueryBoundary>
    </main>
  )
}

/** @param clockOffsetMs the server's time minus this device's time */
function ShowDetails({ show, clockOffsetMs }: { show: ShowData; clockOffsetMs: number }) {
  const now = useNow(60_000) + clockOffsetMs
  const isOver = now >= Date.parse(show.endsAt)
  // If check-in is open when the page loads, its section comes first.
  const [isCheckInFirst] = useState(() => checkInState(show.checkIn, now) === 'open')
  const checkInSection = (
    <PageSection title="At the door" className={isCheckInFirst ? 'mb-10' : 'lg:col-span-7 lg:pr-10'}>
      <CheckInPanel show={show} clockOffsetMs={clockOffsetMs} />
    </PageSection>
  )
  return (
    <>
      {isCheckInFirst && checkInSection}
      <ShowCard
        show={show}
        labelledBy="show-venue"
        tickets={isOver ? 'Played' : ticketLabel(show)}
        eager
        label={
          <p className="mb-3 inline-block foil px-3 py-1 font-label [text-shadow:none]">{isOver ? 'PLAYED' : 'LIVE'}</p>
        }
        venue={
          <h1
            id="show-venue"
            className="font-display text-[clamp(1.75rem,0.6rem+4.4vw,4.25rem)] leading-[0.95] break-words"
          >
            {show.venue}
          </h1>
        }
      />
      {!isCheckInFirst && checkInSection}
      <PageSection title="Who is going" className={isCheckInFirst ? '' : 'mt-14 lg:col-span-5 lg:mt-0'}>
        <AttendancePanel show={show} isOver={isOver} />
      </PageSection>
      <div className="col-span-full mt-14 flex flex-wrap items-center gap-3 border-t border-rule pt-8 max-xs:grid">
        <ShowPrompts />
        <Link to="/shows" className={buttonClass('text', 'xs:-ml-3')}>
          All shows
        </Link>
      </div>
    </>
  )
}

function PageSection({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`col-span-full ${className}`}>
      <h2 id={id} className="mb-5 border-t-2 border-gold pt-4 font-display text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** The text after the number of attendees. */
function attendanceText(count: number, isOver: boolean): string {
  if (count === 0 && !isOver) return 'so far. Be the first.'
  const noun = count === 1 ? 'supporter' : 'supporters'
  if (isOver) return `${noun} said they were going`
  return `${noun} ${count === 1 ? 'is' : 'are'} going`
}

/** Number of attendees, and the usernames of those who allowed it. */
function AttendancePanel({ show: { id, slug, going }, isOver }: { show: ShowData; isOver: boolean }) {
  const me = useMe()
  const mutation = useAttendance({ id, slug })
  // Shows the requested state at once, because the mutation's state is a render late.
  const [requestedNamed, setRequestedNamed] = useState<boolean | null>(null)
  function saveAttendance(attendance: { named: boolean } | null) {
    setRequestedNamed(attendance?.named ?? null)
    mutation.mutate(attendance, {
      onError: ({ message }) => toast({ title: 'That was not saved', text: message, tone: 'destructive' }),
      onSettled: () => setRequestedNamed(null),
    })
  }
  // The anonymous page has no attendance of this supporter. If the refetch fails, the buttons are shown anyway.
  const { isError, dataUpdatedAt } = useQuery(showPage(slug))
  const isAttendanceUnknown = me === undefined || (me !== null && dataUpdatedAt === VISITOR_DATA_UPDATED_AT && !isError)
  const { count, names } = going
  const unnamedCount = count - names.length
  const isNamed = requestedNamed ?? going.me?.named === true
  const isGoing = me ? going.me?.going === true : false
  return (
    <>
      <p>
        <span className="tabular-figures font-display text-2xl text-gold">{count}</span> {attendanceText(count, isOver)}
      </p>
      {names.length > 0 && (
        <ul aria-label="Going" className="mt-4 flex flex-wrap gap-2">
          {names.map((name) => (
            <li key={name} className="border border-rule px-3 py-1 text-sm break-all">
              {name}
            </li>
          ))}
          {unnamedCount > 0 && <li className="px-1 py-1 text-sm text-muted">and {unnamedCount} more</li>}
        </ul>
      )}
      {!isOver && isAttendanceUnknown && <div aria-hidden="true" className="mt-5 h-12" />}
      {!isOver && me === null && (
        <p className="mt-5">
          <Link to="/login" search={{ return: showPath(slug) }} className={buttonClass()}>
            Log in to say you’re going
          </Link>
        </p>
      )}
      {!isOver && me && !isAttendanceUnknown && (
        <div className="mt-5 grid justify-items-start gap-2">
          {!isGoing && (
            <Button aria-disabled={mutation.isPending} onClick={() => saveAttendance({ named: false })}>
              I am going
            </Button>
          )}
          {isGoing && (
            <>
              <CheckField
                label="Show my username here"
                checked={isNamed}
                onChange={(event) => saveAttendance({ named: event.target.checked })}
              />
              <Button
                variant="text"
                className="-ml-3"
                aria-disabled={mutation.isPending}
                onClick={() => saveAttendance(null)}
              >
                I’m not going anymore
              </Button>
            </>
          )}
        </div>
      )}
    </>
  )
}
