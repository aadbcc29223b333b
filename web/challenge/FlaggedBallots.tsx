import { useState } from 'react'
import { adminChallengeApi, type FlaggedBallot, type FlagKind } from '../../worker/contract/admin-challenge'
import { usePagedListing } from '../admin/listings'
import { ReasonForm } from '../admin/ReasonForm'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { AcceptNewAccountBallots } from './AcceptNewAccountBallots'
import { useDecideBallot } from './challenge-admin.queries'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const FLAG_LABELS: Readonly<Record<FlagKind, (row: FlaggedBallot) => string>> = {
  burst: ({ sameNetwork }) =>
    sameNetwork > 0
      ? `One of ${sameNetwork + 1} from one network within minutes`
      : 'Many from one network within minutes',
  shared_device: ({ sameDevice }) =>
    sameDevice > 0 ? `One of ${sameDevice + 1} from the same device` : 'A device that had voted before',
  new_account: () => 'A new account',
}
const columns: readonly Column<FlaggedBallot>[] = [
  { id: 'ballot', header: 'Ballot', cell: (row) => <span className="figures">{row.ballot}</span> },
  {
    id: 'cast',
    header: 'Cast',
    cell: (row) => <span className="figures">{clock.format(Date.parse(row.castAt))}</span>,
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
          <span className={decision.keep ? 'text-bay' : 'text-sunset'}>{decision.keep ? 'Kept' : 'Left out'}</span>
          {decision.reason && `: ${decision.reason}`}{' '}
          <span className="text-muted">{decision.by && `(${decision.by})`}</span>
        </span>
      ) : (
        <span className="text-muted">Open</span>
      ),
  },
]

type Props = {
  challengeId: string
  isFixed: boolean
  /** Open ones that are flagged for nothing but a new account. */
  newAccounts: number
}

/** Ballots that somebody should look at: each is kept or left out, for a reason that is written down. */
export function FlaggedBallots({ challengeId, isFixed, newAccounts }: Props) {
  const [confirming, setConfirming] = useState<{ ballot: number; keep: boolean } | null>(null)
  const decide = useDecideBallot(challengeId)
  const listing = usePagedListing({
    key: ['admin', 'challenge', challengeId, 'flags'],
    endpoint: adminChallengeApi.flags,
    input: { id: challengeId },
  })
  const keep = confirming?.keep ?? false
  return (
    <section aria-labelledby="flagged-ballots">
      <h3 id="flagged-ballots" className="mb-2 font-display text-lg">
        Flagged ballots
      </h3>
      <p className="mb-5 max-w-prose text-sm text-muted">
        A flag is no verdict: families share a sofa, and fans sign up to vote. What nobody decides about counts.
      </p>
      <DataTable
        caption="Flagged ballots"
        listing={listing}
        columns={columns}
        rowKey={(row) => String(row.ballot)}
        empty="No ballot is flagged."
        tools={!isFixed && newAccounts > 1 && <AcceptNewAccountBallots challengeId={challengeId} many={newAccounts} />}
        actions={
          isFixed
            ? undefined
            : (row) => (
                <>
                  {row.decision?.keep !== true && (
                    <Button
                      variant="quiet"
                      aria-label={`Keep ballot ${row.ballot}`}
                      onClick={() => setConfirming({ ballot: row.ballot, keep: true })}
                    >
                      Keep
                    </Button>
                  )}
                  {row.decision?.keep !== false && (
                    <Button
                      variant="quiet"
                      aria-label={`Leave out ballot ${row.ballot}`}
                      onClick={() => setConfirming({ ballot: row.ballot, keep: false })}
                    >
                      Leave out
                    </Button>
                  )}
                </>
              )
        }
      />
      {confirming && (
        <Dialog title={keep ? 'Keep this ballot?' : 'Leave this ballot out?'} onClose={() => setConfirming(null)}>
          <ReasonForm
            title={keep ? 'Keep this ballot?' : 'Leave this ballot out?'}
            hint="It is written to the audit log."
            confirm={keep ? 'Keep it' : 'Leave it out'}
            onSubmit={(reason) => decide.mutateAsync({ ...confirming, reason })}
            onDone={() => {
              setConfirming(null)
              toast({ title: keep ? 'Ballot kept' : 'Ballot left out' })
            }}
            onCancel={() => setConfirming(null)}
          >
            <p>
              {keep
                ? `Ballot ${confirming.ballot} counts like every other.`
                : `Ballot ${confirming.ballot} is not counted. It stays in the public tally, marked with what it was flagged for.`}
            </p>
            <p>Until the votes are fixed you may think again.</p>
          </ReasonForm>
        </Dialog>
      )}
    </section>
  )
}
