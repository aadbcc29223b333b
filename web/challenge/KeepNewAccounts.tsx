import { useState } from 'react'
import { ReasonForm } from '../admin/ReasonForm'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { useKeepNewAccounts } from './desk.queries'

const count = new Intl.NumberFormat('en-US')
const ballots = (many: number) => (many === 1 ? 'One ballot' : `${count.format(many)} ballots`)
const TITLE = 'Keep all new accounts?'

/** Keeps at once what is flagged for nothing but a new account: fans sign up to vote. */
export function KeepNewAccounts({ challengeId, many }: { challengeId: string; many: number }) {
  const [asks, setAsks] = useState(false)
  const keep = useKeepNewAccounts(challengeId)
  const close = () => setAsks(false)
  return (
    <>
      <Button onClick={() => setAsks(true)}>Keep {count.format(many)} new accounts</Button>
      {asks && (
        <Dialog title={TITLE} onClose={close}>
          <ReasonForm
            title={TITLE}
            hint="It is written to the audit log, and stands at each of them."
            confirm="Keep them"
            act={async (reason) => {
              const { kept } = await keep.mutateAsync(reason)
              toast({ title: `${ballots(kept)} kept` })
            }}
            onDone={close}
            onCancel={close}
          >
            <p>
              {ballots(many)} {many === 1 ? 'is' : 'are'} flagged for nothing but a new account. They count like every
              other then. What came in a burst or from a shared device still waits for you.
            </p>
            <p>Until the votes are fixed you may think again about each.</p>
          </ReasonForm>
        </Dialog>
      )}
    </>
  )
}
