import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { MetricCard } from '../admin/Panel'
import { BarChart } from '../ui/BarChart'
import { CopyText } from './CopyText'
import { FlaggedBallots } from './FlaggedBallots'
import { SubmissionSender } from './SubmissionSender'

const count = new Intl.NumberFormat('en-US')

/** Turnout, what is flagged, and once the votes are fixed the count and the way to who has won. */
export function VotesReview({ challenge }: { challenge: AdminChallenge }) {
  const { state, votes, excluded, openFlags, seal, finalists } = challenge
  if (!['voting', 'closed', 'published'].includes(state))
    return (
      <p className="border border-dashed border-rule-strong p-6 text-muted">
        No vote is cast before voting opens. Turnout and flagged ballots stand here then.
      </p>
    )
  const bars = finalists
    .map(({ name, votes: own }) => ({ label: name, value: own ?? 0, figure: count.format(own ?? 0) }))
    .toSorted((a, b) => b.value - a.value)
  const maxVotes = Math.max(...finalists.map((finalist) => finalist.votes ?? 0))
  const winners = maxVotes > 0 ? finalists.filter((finalist) => finalist.votes === maxVotes) : []
  return (
    <div className="grid gap-12">
      {challenge.isRekeyed && (
        <p role="alert" className="max-w-prose border border-sunset p-5">
          SIGNING_SECRET was changed after the first vote.{' '}
          {state === 'voting' && 'No vote is taken until the old one is put back. '}
          The ballots stay and count, but supporters find theirs only by the pseudonym that they copied.
        </p>
      )}
      <dl className="grid gap-8 sm:grid-cols-3">
        <MetricCard label="Votes cast" value={count.format(votes)} />
        <MetricCard label="Left out" value={count.format(excluded)} />
        <MetricCard label="Flags to decide" value={count.format(openFlags)} />
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
                      <SubmissionSender submissionId={submissionId} name={name} />
                    ) : (
                      <p className="mt-2 text-muted">No verse was sent here for this one, so no address is known.</p>
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
          Who leads is told when the votes are fixed, so that nobody can decide about a ballot by whom it is for.
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
