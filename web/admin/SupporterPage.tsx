import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TIER_LABELS } from '../../worker/contract/site'
import { type SupporterDetails, supporterPageApi } from '../../worker/contract/supporter-page'
import { call, nullIfNotFound } from '../api/call'
import { capitalize, formatCount, formatDate, formatDateTime, formatPrice } from '../lib/format'
import { CustomerSums } from '../orders/CustomerSums'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toastError } from '../ui/toast'
import { Panel } from './Panel'
import { RecordHeader } from './RecordHeader'
import { ScreenLink } from './ScreenLink'
import { SupporterActions } from './SupporterActions'
import { SupporterNotes, useNoteDraft } from './SupporterNotes'
import { SupporterPoints } from './SupporterPoints'
import { SupporterState } from './SupportersTab'
import { toScreen, useScreenParam } from './screen-location'

const supporterQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'supporters', 'page', id],
    // Null if the account was deleted.
    queryFn: () => call(supporterPageApi.supporter, { id }).catch(nullIfNotFound),
    staleTime: 0,
  })

/** /admin/supporters/$id: a supporter's data, and actions on the account. */
export function SupporterPage() {
  const id = useScreenParam('id')
  return <SupporterRecord key={id} id={id} />
}

function SupporterRecord({ id }: { id: string }) {
  const query = useQuery(supporterQuery(id))
  const noteDraft = useNoteDraft(id)
  const navigate = useNavigate()
  return (
    <>
      <RecordHeader back="supporters" title={query.data?.username ?? 'Supporter'} />
      <QueryBoundary
        query={query}
        loading={{ className: 'h-96', label: 'Loading the supporter' }}
        error="The supporter could not be loaded."
      >
        {(supporter) =>
          supporter ? (
            <div className="grid gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <div className="grid content-start gap-12">
                <SupporterActions
                  supporter={supporter}
                  onErased={() => {
                    noteDraft.clear()
                    void navigate({ ...toScreen('supporters'), replace: true })
                  }}
                />
                <SupporterPoints supporter={supporter} />
                <SupporterActivity supporter={supporter} />
              </div>
              <div className="grid content-start gap-12">
                <Profile supporter={supporter} />
                <SupporterNotes supporterId={id} notes={supporter.notes} autosave={noteDraft} />
              </div>
            </div>
          ) : (
            <EmptyNotice>This account was deleted. Go back to the list to open another one.</EmptyNotice>
          )
        }
      </QueryBoundary>
    </>
  )
}

const CONSENT_LABELS = { pending: 'Not confirmed', confirmed: 'Subscribed', unsubscribed: 'Unsubscribed' } as const

function Profile({ supporter }: { supporter: SupporterDetails }) {
  const { logins, newsletter } = supporter
  const loginMethods = [
    logins.password && 'password',
    logins.google && 'Google',
    logins.passkeys > 0 && (logins.passkeys === 1 ? 'a passkey' : `${logins.passkeys} passkeys`),
  ].filter(Boolean)
  const details: readonly [string, ReactNode][] = [
    ['State', <SupporterState key="state" supporter={supporter} />],
    ['Tier', TIER_LABELS[supporter.tier]],
    ['Email', <SupporterEmail key="email" supporter={supporter} />],
    ['Phone', supporter.phoneLast2 === null ? 'None' : `Ends in ${supporter.phoneLast2}`],
    ['Joined', formatDate(supporter.joinedAt)],
    ['Last active', formatDateTime(supporter.lastActiveAt)],
    ['Login', loginMethods.length === 0 ? 'None' : capitalize(loginMethods.join(', '))],
    [
      'Newsletter',
      newsletter
        ? `${CONSENT_LABELS[newsletter.state]}, consent ${formatDate(newsletter.consentAt)}`
        : 'Never subscribed',
    ],
    ['Leaderboard', leaderboardText(supporter)],
    ['Referral code', supporter.referralCode ?? 'None'],
    ['Referrals', formatCount(supporter.referrals)],
  ]
  return (
    <Panel title="Profile">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 text-sm">
        {details.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** The leaderboard lists only accounts that are not banned and have confirmed their email address, if they have one. */
function leaderboardText({ showsOnLeaderboard, banned, email, emailVerified }: SupporterDetails): string {
  if (!showsOnLeaderboard) return 'Hidden by the supporter'
  return banned || (email !== '' && !emailVerified) ? 'Not shown' : 'Shown'
}

/** The masked address, until it is revealed; revealing is audited. */
export function SupporterEmail({ supporter: { id, email, username } }: { supporter: SupporterDetails }) {
  const reveal = useMutation({ mutationFn: () => call(supporterPageApi.reveal, { id }) })
  if (email === '') return 'None'
  if (reveal.data) return reveal.data.email ?? 'None'
  return (
    <>
      {email}
      <Button
        variant="text"
        className="-my-3"
        aria-label={`Reveal the email of ${username}`}
        aria-disabled={reveal.isPending}
        onClick={() => reveal.isPending || reveal.mutate(undefined, { onError: toastError('Not revealed') })}
      >
        Reveal
      </Button>
    </>
  )
}

const VOTE_LABELS = {
  counted: '',
  pending: ', not counted until the email is confirmed',
  excluded: ', excluded',
} as const

function SupporterActivity({ supporter }: { supporter: SupporterDetails }) {
  return (
    <>
      <Panel title="Orders">
        {supporter.orders.length > 0 && (
          <div className="mb-6">
            <CustomerSums totals={supporter.orderTotals} />
          </div>
        )}
        <TimedList
          empty="No orders yet."
          entries={supporter.orders.map(({ id, status, amountCents, createdAt }) => ({
            key: id,
            at: createdAt,
            content: (
              <>
                <ScreenLink screen="order" params={{ id }} className="underline underline-offset-4">
                  {formatPrice(amountCents)}
                </ScreenLink>{' '}
                <span className="text-muted">{status}</span>
              </>
            ),
          }))}
        />
      </Panel>
      <Panel title="Votes">
        <TimedList
          empty="No votes yet."
          entries={supporter.votes.map(({ poll, option, castAt, state }) => ({
            key: `${poll} ${castAt}`,
            at: castAt,
            content: (
              <>
                {poll}: <span className="text-muted">{`${option}${VOTE_LABELS[state]}`}</span>
              </>
            ),
          }))}
        />
      </Panel>
      <Panel title="Check-ins">
        <TimedList
          empty="No check-ins yet."
          entries={supporter.checkIns.map(({ venue, city, checkedInAt }) => ({
            key: `${venue} ${checkedInAt}`,
            at: checkedInAt,
            content: `${venue}, ${city}`,
          }))}
        />
      </Panel>
      <Panel title="Emails">
        <TimedList
          empty="No emails yet. Only emails to a confirmed address are listed."
          entries={supporter.emails.map(({ id, subject, state, createdAt }) => ({
            key: id,
            at: createdAt,
            content: (
              <>
                {subject} <span className="text-muted">{state}</span>
              </>
            ),
          }))}
        />
      </Panel>
    </>
  )
}

type EntriesProps = { empty: string; entries: readonly { key: string; at: string; content: ReactNode }[] }

/** The newest entries with their times. */
function TimedList({ empty, entries }: EntriesProps) {
  if (entries.length === 0) return <p className="text-sm text-muted">{empty}</p>
  return (
    <ul className="grid gap-2 text-sm">
      {entries.map(({ key, at, content }) => (
        <li key={key} className="flex flex-wrap justify-between gap-x-6 border-b border-rule pb-2 wrap-anywhere">
          <span>{content}</span>
          <time dateTime={at} className="tabular-figures text-muted">
            {formatDateTime(at)}
          </time>
        </li>
      ))}
    </ul>
  )
}
