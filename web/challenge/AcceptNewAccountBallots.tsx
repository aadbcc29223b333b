import { useState } from 'react'
import { ReasonForm } from '../admin/ReasonForm'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { useAcceptNewAccountBallots } from './challenge-admin.queries'

const count = new Intl.NumberFormat('en-US')
const ballotCount = (many: number) => (many === 1 ? 'One ballot' : `${count.format(many)} ballots`)
const TITLE = 'Keep all new accounts?'

/** Keeps at once what is flagged for nothing but a new account: fans sign up to vote. */
export function AcceptNewAccountBallots({ challengeId, many }: { challengeId: string; many: number }) {
  const [isConfirming, setConfirming] = useState(false)
  const accept = useAcceptNewAccountBallots(challengeId)
  const close = () => setConfirming(false)
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Keep {count.format(many)} new accounts</Button>
      {isConfirming && (
        <Dialog title={TITLE} onClose={close}>
          <ReasonForm
            title={TITLE}
            hint="It is written to the audit log, and stands at each of them."
            confirm="Keep them"
            onSubmit={async (reason) => {
              const { kept } = await accept.mutateAsync(reason)
              toast({ title: `${ballotCount(kept)} kept` })
            }}
            onDone={close}
            onCancel={close}
          >
            <p>
              {ballotCount(many)} {many === 1 ? 'is' : 'are'} flagged for nothing but a new account. They count like
              every other then. What came in a burst or from a shared device still waits for you.
            </p>
            <p>Until the votes are fixed you may think again about each.</p>
          </ReasonForm>
        </Dialog>
      )}
    </>
  )
}
