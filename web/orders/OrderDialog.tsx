import { type FormEvent, type ReactNode, useState } from 'react'
import type { AdminOrder, Fulfilment } from '../../worker/contract/orders'
import { errorMessage } from '../api/call'
import { addressLines } from '../checkout/address-lines'
import { formatLongDateTime, formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { SelectField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { CarrierField } from './CarrierField'
import { fulfilmentOptions, orderStateLabel } from './order-labels'
import { useRefund, useRevealBuyer, useUpdateFulfilment } from './orders-admin.queries'

type Props = { order: AdminOrder; onChange: (order: AdminOrder) => void; onClose: () => void }

export function OrderDialog({ order, onChange, onClose }: Props) {
  const reveal = useRevealBuyer()
  const buyer = reveal.data
  const details: [term: string, value: ReactNode][] = [
    ['State', orderStateLabel(order)],
    ['Ordered', formatLongDateTime(order.createdAt)],
    ['Paid', order.paidAt ? formatLongDateTime(order.paidAt) : 'Not yet'],
    ['Product', `${order.productName} × ${order.quantity}`],
    ['Amount', formatPrice(order.amountCents)],
    [
      'Promotion',
      order.discountCents > 0 && `${formatPrice(order.discountCents)} by ${order.promotionCode ?? 'a code'}`,
    ],
    ['Refunded', order.refundedCents > 0 && formatPrice(order.refundedCents)],
    ['Account', order.username ?? 'None'],
    ['Email', buyer ? (buyer.email ?? 'None') : (order.email ?? 'None')],
    ['Address added', order.addressAddedAt && `${formatLongDateTime(order.addressAddedAt)}, by the buyer`],
    ['Ships to', buyer?.shippingAddress && addressLines(buyer.shippingAddress).join(', ')],
  ]
  return (
    <Dialog title={`Order ${order.id}`} onClose={onClose}>
      <div className="grid gap-8 p-6 md:p-9">
        <header className="mr-10">
          <p className="font-label text-gold">{order.test ? 'Test order' : 'Order'}</p>
          <p className="mt-2 text-xl font-bold break-all">{order.id}</p>
        </header>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6">
          {details.map(
            ([term, value]) =>
              value && (
                <div key={term} className="col-span-full grid grid-cols-subgrid border-t border-rule py-2">
                  <dt className="text-sm leading-6 text-muted">{term}</dt>
                  <dd className="tabular-figures leading-6 break-words">{value}</dd>
                </div>
              ),
          )}
        </dl>
        {order.addressMissing && (
          <div className="border-l-4 border-sunset bg-sleeve p-4">
            <p className="font-semibold">Address missing</p>
            <p className="mt-1 text-sm text-muted">
              {order.email
                ? 'This order is paid but has no shipping address. Email the buyer, or refund it.'
                : 'This order is paid but has no email address to ask for what is missing. Ship it if you can, or refund it.'}
            </p>
          </div>
        )}
        {!buyer && (order.email || order.hasAddress) && (
          <div>
            <Button
              aria-disabled={reveal.isPending}
              onClick={() => reveal.mutate(order.id, { onError: toastError('Not shown') })}
            >
              {order.hasAddress ? 'Show the address' : 'Show the email'}
            </Button>
            <p className="mt-2 text-sm text-muted">Every reveal is written to the audit log.</p>
          </div>
        )}
        {order.status === 'paid' && (
          <FulfilmentForm key={order.fulfilment + order.tracking} order={order} onChange={onChange} />
        )}
        {order.refundable && <RefundForm order={order} onChange={onChange} />}
      </div>
    </Dialog>
  )
}

function FulfilmentForm({ order, onChange }: Omit<Props, 'onClose'>) {
  const update = useUpdateFulfilment()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (update.isPending) return
    const data = new FormData(event.currentTarget)
    // Callbacks of `mutate` are lost if the refetched list replaces this form first.
    update
      .mutateAsync({
        id: order.id,
        fulfilment: String(data.get('fulfilment')) as Fulfilment,
        carrier: String(data.get('carrier')).trim(),
        tracking: String(data.get('tracking')).trim(),
      })
      .then((saved) => {
        onChange(saved)
        toast({ title: 'Shipment saved', text: 'The buyer sees it on the receipt.' })
      }, toastError('Not saved'))
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5 border-t border-rule pt-6 sm:grid-cols-2">
      <SelectField label="Parcel" name="fulfilment" options={fulfilmentOptions} defaultValue={order.fulfilment} />
      <CarrierField name="carrier" defaultValue={order.carrier} />
      <TextField
        label="Tracking"
        name="tracking"
        defaultValue={order.tracking}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" aria-disabled={update.isPending} className="justify-self-start">
        {update.isPending ? 'Saving' : 'Save the parcel'}
      </Button>
    </form>
  )
}

function RefundForm({ order, onChange }: Omit<Props, 'onClose'>) {
  const refund = useRefund()
  // A refund at the provider may have been partial; after a failed full refund the whole amount is sent again.
  const { amountCents, refundedCents, fulfilment } = order
  const refundableCents = refundedCents < amountCents ? amountCents - refundedCents : amountCents
  const hasShipped = fulfilment === 'shipped' || fulfilment === 'delivered'
  const [isConfirming, setConfirming] = useState(false)
  const [error, setError] = useState<string>()
  if (!isConfirming)
    return (
      <div className="border-t border-rule pt-6">
        {order.refundRefused && (
          <p className="mb-4 border-l-4 border-sunset bg-background p-4">
            The refund failed. Check the reason in the payment provider’s dashboard, then send it again here, or give
            the money back there.
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
    if (reason === '') return setError('Please give a reason.')
    setError(undefined)
    refund.mutate(
      { id: order.id, reason },
      {
        onSuccess: (refunded) => {
          onChange(refunded)
          if (refunded.refundRefused)
            return setError(
              'The payment provider rejected the refund. Nothing was refunded; check the provider’s dashboard for the reason.',
            )
          setConfirming(false)
          toast({ title: 'Refund sent', text: `${formatPrice(refundableCents)} goes back to the card.` })
        },
        onError: (refundError) => setError(errorMessage(refundError)),
      },
    )
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5 border-l-4 border-sunset bg-background p-5">
      <p>
        <strong className="tabular-figures">{formatPrice(refundableCents)}</strong> goes back to the buyer’s card, the
        pieces {hasShipped ? 'stay out of the stock' : 'go back into the stock'}, and points that were paid for the
        order are taken back. This cannot be undone.
      </p>
      <TextField label="Reason" name="reason" maxLength={200} required autoFocus error={error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={refund.isPending}>
          {refund.isPending ? 'One moment' : 'Refund the order'}
        </Button>
        <Button onClick={() => setConfirming(false)}>Keep it</Button>
      </div>
    </form>
  )
}
