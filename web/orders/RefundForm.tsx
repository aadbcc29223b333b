import { type FormEvent, useState } from 'react'
import type { AdminOrder } from '../../worker/contract/orders'
import { errorMessage } from '../api/call'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useRefund } from './orders-admin.queries'

/** Sends the whole order's money back, after a reason and a second press: it cannot be taken back. */
export function RefundForm({ order }: { order: AdminOrder }) {
  const refund = useRefund()
  // A part may have gone back at the provider; where all had, and failed on its way, all of it goes again.
  const { amountCents, refundedCents } = order
  const refundableCents = refundedCents < amountCents ? amountCents - refundedCents : amountCents
  const [isConfirming, setConfirming] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!isConfirming)
    return (
      <div className="border-t border-rule pt-6">
        {order.refundRefused && (
          <p className="mb-4 border-l-4 border-sunset bg-ground p-4">
            The refund was refused, or failed on its way. Look at the provider for the cause; then send it again here,
            or give the money back there.
          </p>
        )}
        <Button onClick={() => setConfirming(true)}>
          {order.refundRefused ? 'Send the refund again' : `Refund ${formatPrice(refundableCents)}`}
        </Button>
      </div>
    )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (refund.isPending) return
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason === '') return setProblem('Please give a reason.')
    setProblem(undefined)
    refund.mutate(
      { id: order.id, reason },
      {
        onSuccess: ({ refundRefused }) => {
          if (refundRefused)
            return setProblem('The provider refused the refund. Nothing has gone back; look there for the cause.')
          setConfirming(false)
          toast({ title: 'Refund sent', text: `${formatPrice(refundableCents)} goes back to the card.` })
        },
        onError: (error) => setProblem(errorMessage(error)),
      },
    )
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5 border-l-4 border-sunset bg-ground p-5">
      <p>
        <strong className="figures">{formatPrice(refundableCents)}</strong> goes back to the buyer’s card, the pieces go
        back into the stock, and points that were paid for the order are taken back. This cannot be undone.
      </p>
      <TextField label="Reason" name="reason" maxLength={200} required autoFocus error={problem} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="foil" aria-disabled={refund.isPending}>
          {refund.isPending ? 'One moment' : 'Send the money back'}
        </Button>
        <Button onClick={() => setConfirming(false)}>Keep it</Button>
      </div>
    </form>
  )
}
