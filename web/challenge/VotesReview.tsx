import { useState } from 'react'
import {
  type AdminChallenge,
  adminChallengeApi,
  type FlaggedBallot,
  type FlagKind,
} from '../../worker/contract/admin-challenge'
import { hasReached } from '../../worker/contract/challenge'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter, type ListColumn } from '../admin/list/list-definition'
import { MetricCard } from '../admin/MetricCard'
import { ReasonDialog } from '../layout/ReasonForm'
import { formatCount, formatCountOf, formatDateTimeSeconds } from '../lib/format'
import { BarChart } from '../ui/BarChart'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { toast } from '../ui/toast'
import { CopyText } from './CopyText'
import { useAcceptNewAccountBallots, useDecideBallot } from './challenge-admin.queries'
import { EntrantContact } from './EntrantContact'

const FLAG_LABELS: Readonly<Record<FlagKind, (row: FlaggedBallot) => string>> = {
  burst: ({ sameNetwork }) =>
    sameNetwork > 0
      ? `One of ${sameNetwork + 1} from one network within minutes`
      : 'Many from one network within minutes',
  shared_device: ({ sameDevice }) =>
    sameDevice > 0 ? `One of ${sameDevice + 1} from the same device` : 'A device that had voted before',
  new_account: () => 'A new account',
}
const BALLOT_COLUMNS: readonly ListColumn<FlaggedBallot>[] = [
  { id: 'ballot', header: 'Ballot', cell: (row) => <span className="tabular-figures">{row.ballot}</span> },
  {
    id: 'cast',
    header: 'Cast',
    sort: 'cast',
    cell: (row) => <span className="tabular-figures">{formatDateTimeSeconds(row.castAt)}</span>,
  },
  {
    id: 'why',
    header: 'Flagged for',
    cell: (row) => (
      <ul className="grid gap-1">
        {row.kinds.map((kind) => (
          <li key={kind}>{FLAG_LABELS[kind](row)}</li>
        ))}
      </ul>
    ),
  },
  {
    id: 'decision',
    header: 'Decision',
    cell: ({ decision }) =>
      decision ? (
        <span className="wrap-anywhere">
          <span className={decision.keep ? 'text-bay' : 'text-sunset'}>{decision.keep ? 'Counted' : 'Excluded'}</span>
          {decision.reason && `: ${decision.reason}`}{' '}
          <span className="text-muted">{decision.by && `(${decision.by})`}</span>
        </span>
      ) : (
        <span className="text-muted">Open</span>
      ),
  },
]

const flaggedBallotList = (
  challengeId: string,
): AdminListDefinition<'/api/admin/challenges/:id/flags', FlaggedBallot> => ({
  name: 'challenge.flags',
  title: 'Flagged ballots',
  endpoint: adminChallengeApi.flags,
  input: { id: challengeId },
  nameOf: (row) => `Ballot ${row.ballot}`,
  keyOf: (row) => String(row.ballot),
  columns: BALLOT_COLUMNS,
  filters: [
    choiceFilter('state', 'Decision', { open: 'Open', counted: 'Counted', excluded: 'Excluded' }),
    choiceFilter<FlagKind>('kind', 'Flagged for', {
      burst: 'Many from one network',
      shared_device: 'A shared device',
      new_account: 'A new account',
    }),
  ],
  empty: 'No flagged ballots. Unusual ones appear here for your decision.',
})

type Props = {
  challengeId: string
  /** Whether decisions can no longer change. */
  isFixed: boolean
  /** Number of undecided ballots whose only flag is a new account. */
  newAccounts: number
}

/** Ballots to review: each is counted or excluded with a reason. */
function FlaggedBallots({ challengeId, isFixed, newAccounts }: Props) {
  const [confirming, setConfirming] = useState<{ ballot: number; keep: boolean } | null>(null)
  const decide = useDecideBallot(challengeId)
  const keep = confirming?.keep ?? false
  return (
    <>
      <AdminList
        list={flaggedBallotList(challengeId)}
        note="A flag is not proof: families share a network, and fans sign up to vote. Ballots without a decision count."
        tools={!isFixed && newAccounts > 1 && <AcceptNewAccountBallots challengeId={challengeId} count={newAccounts} />}
        actions={
          isFixed
            ? undefined
            : (row) => (
                <>
                  {row.decision?.keep !== true && (
                    <Button
                      variant="text"
                      aria-label={`Count ballot ${row.ballot}`}
                      onClick={() => setConfirming({ ballot: row.ballot, keep: true })}
                    >
                      Count
                    </Button>
                  )}
                  {row.decision?.keep !== false && (
                    <Button
                      variant="text"
                      aria-label={`Exclude ballot ${row.ballot}`}
                      onClick={() => setConfirming({ ballot: row.ballot, keep: false })}
                    >
                      Exclude
                    </Button>
                  )}
                </>
              )
        }
      />
      {confirming && (
        <ReasonDialog
          title={`${keep ? 'Count' : 'Exclude'} ballot ${confirming.ballot}?`}
          hint="It is written to the audit log."
          confirmLabel={keep ? 'Count it' : 'Exclude it'}
          onSubmit={(reason) =>
            decide
              .mutateAsync({ ...confirming, reason })
              .then(() => toast({ title: keep ? 'Ballot counted' : 'Ballot excluded' }))
          }
          onClose={() => setConfirming(null)}
        >
          <p>
            {keep
              ? `Ballot ${confirming.ballot} counts like every other.`
              : `Ballot ${confirming.ballot} is not counted. It stays in the public tally, marked with what it was flagged for.`}
          </p>
          <p>You can change this until the result is sealed.</p>
        </ReasonDialog>
      )}
    </>
  )
}

const ballotsText = (count: number) => (count === 1 ? 'One ballot' : `${formatCount(count)} ballots`)

/** Accepts all undecided ballots whose only flag is a new account. */
function AcceptNewAccountBallots({ challengeId, count }: { challengeId: string; count: number }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const accept = useAcceptNewAccountBallots(challengeId)
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>Count {formatCount(count)} new accounts</Button>
      {isConfirming && (
        <ReasonDialog
          title={`Count the ${formatCountOf(count, 'ballot')} of new accounts?`}
          hint="The reason is written to the audit log and shown with each ballot."
          confirmLabel="Count them"
          onSubmit={async (reason) => {
            const { kept } = await accept.mutateAsync(reason)
            toast({ title: `${ballotsText(kept)} counted` })
          }}
          onClose={() => setIsConfirming(false)}
        >
          <p>
            {ballotsText(count)} {count === 1 ? 'is' : 'are'} flagged only for a new account. They will count like every
            other ballot. Ballots with other flags still need your decision.
          </p>
          <p>You can change each decision until the result is sealed.</p>
        </ReasonDialog>
      )}
    </>
  )
}

/** Warns if SIGNING_SECRET was changed during the voting. */
export const RekeyedAlert = ({ challenge: { state, isRekeyed } }: { challenge: AdminChallenge }) =>
  isRekeyed && (
    <p role="alert" className="max-w-prose border border-sunset p-5">
      SIGNING_SECRET was changed after the first vote.{' '}
      {state === 'voting' && 'No one can vote until the old secret is restored. '}
      The ballots stay and count, but supporters can only find theirs by the pseudonym they copied.
    </p>
  )

/** Turnout, flagged ballots and, once final, the result. */
export function VotesReview({ challenge }: { challenge: AdminChallenge }) {
  const { state, votes, excluded, openFlags, seal, finalists } = challenge
  if (!hasReached(state, 'voting'))
    return <EmptyNotice>Turnout and flagged ballots appear here once voting opens.</EmptyNotice>
  const bars = finalists
    .map(({ name, votes }) => ({ label: name, value: votes ?? 0, valueText: formatCount(votes ?? 0) }))
    .toSorted((a, b) => b.value - a.value)
  const maxVotes = Math.max(...finalists.map((finalist) => finalist.votes ?? 0))
  const winners = maxVotes > 0 ? finalists.filter((finalist) => finalist.votes === maxVotes) : []
  return (
    <div className="grid gap-12">
      <RekeyedAlert challenge={challenge} />
      <dl className="grid gap-8 sm:grid-cols-3">
        <MetricCard label="Votes cast" value={formatCount(votes)} />
        <MetricCard label="Excluded" value={formatCount(excluded)} />
        <MetricCard label="Flags to decide" value={formatCount(openFlags)} />
      </dl>
      {seal ? (
        <section aria-label="The count" className="grid max-w-3xl gap-8">
          {winners.length > 0 && (
            <div>
              <h3 className="font-label text-gold">{winners.length > 1 ? 'Winners, with equal votes' : 'Winner'}</h3>
              <ul className="mt-3 grid gap-6">
                {winners.map(({ id, name, submissionId }) => (
                  <li key={id}>
                    <p className="font-display text-2xl wrap-anywhere">{name}</p>
                    {submissionId ? (
                      <EntrantContact submissionId={submissionId} label={name} />
                    ) : (
                      <p className="mt-2 text-muted">No verse was entered here, so there is no email address.</p>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          )}
          <BarChart label="Votes by finalist" bars={bars} />
          <CopyText label="SHA-256 of the tally" text={seal.sha256} />
        </section>
      ) : (
        <p className="max-w-prose text-muted">
          You see who leads once the result is sealed, so that decisions about ballots do not depend on it.
        </p>
      )}
      <FlaggedBallots
        challengeId={challenge.id}
        isFixed={seal !== null || state === 'published'}
        newAccounts={challenge.openNewAccounts}
      />
    </div>
  )
}
