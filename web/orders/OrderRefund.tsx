import { type FormEvent, useState } from 'react'
import type { AdminOrder, RefundRequest } from '../../worker/contract/orders'
import { unitsShare } from '../../worker/contract/pricing'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { formatPrice, parseCents } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { CheckField, SelectField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { hasShipped } from './order-shipping'
import { useRefund } from './orders-admin.queries'

type Line = AdminOrder['lines'][number]
type RefundChoice = { quantity: number; restock: boolean }

const titleOf = ({ productName, variantName }: Line) => (variantName ? `${productName} (${variantName})` : productName)
const refundableQuantity = ({ quantity, refundedQuantity }: Line) => quantity - refundedQuantity

/** The amount paid for the next `count` units of a line that are not refunded yet, as the server computes it. */
function refundCents({ breakdown }: AdminOrder, line: Line, count: number): number {
  const { quantity, unitPriceCents, discountCents, taxCents, refundedQuantity } = line
  const paidCents = quantity * unitPriceCents - discountCents + (breakdown.taxIncluded ? 0 : taxCents)
  return unitsShare(paidCents, quantity, { start: refundedQuantity, count })
}

function refundableShippingCents({ breakdown, lines, refundedShippingCents }: AdminOrder): number {
  const lineTax = lines.reduce((sum, { taxCents }) => sum + taxCents, 0)
  return breakdown.shippingCents + (breakdown.taxIncluded ? 0 : breakdown.taxCents - lineTax) - refundedShippingCents
}

const PROVIDER_REJECTED =
  'The payment provider rejected the refund. Nothing was refunded; check the provider’s dashboard for the reason.'

/** Refunds the whole order, or items and shipping. */
export function OrderRefund({ order }: { order: AdminOrder }) {
  if (!order.refundable) return null
  return (
    <Panel
      title="Refund"
      note="Choose what came back, or refund the whole order. The money goes to the card that paid, which takes up to ten days."
    >
      {order.refundRefused && (
        <p className="mb-5 border-l-4 border-sunset bg-sleeve p-4">
          The refund failed. Check the reason in the payment provider’s dashboard, then send it again here, or give the
          money back there.
        </p>
      )}
      {/* After a rejected refund, only a refund of the whole order can be sent. */}
      {!order.refundRefused && <LinesRefund key={`${order.refundedCents} ${order.fulfilment}`} order={order} />}
      <WholeRefund order={order} />
    </Panel>
  )
}

function LinesRefund({ order }: { order: AdminOrder }) {
  const refund = useRefund()
  const [choices, setChoices] = useState<Readonly<Record<string, RefundChoice>>>({})
  const [shipping, setShipping] = useState('')
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<{ reason?: string; shipping?: string; form?: string }>({})
  const [isConfirming, setIsConfirming] = useState(false)
  const lines = order.lines.filter((line) => refundableQuantity(line) > 0)
  const choiceOf = ({ id }: Line): RefundChoice => choices[id] ?? { quantity: 0, restock: !hasShipped(order) }
  const chosen = lines.filter((line) => choiceOf(line).quantity > 0)
  const maxShippingCents = refundableShippingCents(order)
  const shippingCents = parseCents(shipping) ?? 0
  const totalCents = chosen.reduce(
    (sum, line) => sum + refundCents(order, line, choiceOf(line).quantity),
    shippingCents,
  )
  if (lines.length === 0 && maxShippingCents <= 0) return null

  function submit(event: FormEvent) {
    event.preventDefault()
    const isShippingValid = shipping.trim() === '' || (shippingCents > 0 && shippingCents <= maxShippingCents)
    const formErrors: typeof errors = {}
    if (reason.trim() === '') formErrors.reason = 'Please give a reason.'
    if (!isShippingValid) formErrors.shipping = `Please enter an amount up to ${formatPrice(maxShippingCents)}.`
    if (totalCents === 0) formErrors.form = 'Please choose what to refund.'
    setErrors(formErrors)
    if (Object.keys(formErrors).length === 0) setIsConfirming(true)
  }

  function confirm() {
    const request: RefundRequest = {
      reason: reason.trim(),
      lines: chosen.map((line) => ({ lineId: line.id, ...choiceOf(line) })),
      shippingCents,
    }
    refund.mutate(
      { id: order.id, ...request },
      {
        onSuccess: () => toast({ title: 'Refund sent', text: `${formatPrice(totalCents)} goes back to the card.` }),
        onError: (error) => setErrors({ form: errorMessage(error) }),
        onSettled: () => setIsConfirming(false),
      },
    )
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      <ul className="grid gap-5">
        {lines.map((line) => {
          const choice = choiceOf(line)
          const updateChoice = (change: Partial<RefundChoice>) =>
            setChoices({ ...choices, [line.id]: { ...choice, ...change } })
          return (
            <li
              key={line.id}
              className="grid items-end gap-x-6 gap-y-2 border-b border-rule pb-4 sm:grid-cols-[12rem_1fr]"
            >
              <SelectField
                label={`Refund ${titleOf(line)}`}
                value={String(choice.quantity)}
                onChange={(event) => updateChoice({ quantity: Number(event.currentTarget.value) })}
                options={Array.from({ length: refundableQuantity(line) + 1 }, (_, count) => ({
                  value: String(count),
                  label:
                    count === 0
                      ? 'Nothing'
                      : `${count} of ${refundableQuantity(line)}, ${formatPrice(refundCents(order, line, count))}`,
                }))}
              />
              {line.kind !== 'digital' && (
                <CheckField
                  label={`Put ${titleOf(line)} back in stock`}
                  checked={choice.restock}
                  onChange={(event) => updateChoice({ restock: event.currentTarget.checked })}
                />
              )}
            </li>
          )
        })}
      </ul>
      {maxShippingCents > 0 && (
        <TextField
          label="Refund shipping"
          inputMode="decimal"
          value={shipping}
          onChange={(event) => setShipping(event.currentTarget.value)}
          error={errors.shipping}
          hint={`Up to ${formatPrice(maxShippingCents)}, with its tax.`}
        />
      )}
      <TextField
        label="Reason"
        required
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={errors.reason}
        hint="For the team; the buyer does not see it."
      />
      {errors.form && (
        <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4 text-sm">
          {errors.form}
        </p>
      )}
      <Button type="submit" className="justify-self-start">
        {totalCents > 0 ? `Refund ${formatPrice(totalCents)}` : 'Refund these items'}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={`Refund ${formatPrice(totalCents)}?`}
          confirmLabel={`Refund ${formatPrice(totalCents)}`}
          pending={refund.isPending}
          onConfirm={confirm}
          onClose={() => setIsConfirming(false)}
        >
          <ul className="grid gap-2">
            {chosen.map((line) => {
              const { quantity, restock } = choiceOf(line)
              return (
                <li key={line.id}>
                  {quantity} × {titleOf(line)}, {formatPrice(refundCents(order, line, quantity))}
                  {line.kind !== 'digital' && (restock ? ', goes back in stock' : ', is not restocked')}
                </li>
              )
            })}
            {shippingCents > 0 && <li>Shipping, {formatPrice(shippingCents)}</li>}
          </ul>
          <p>The money goes back to the buyer’s card. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </form>
  )
}

function WholeRefund({ order }: { order: AdminOrder }) {
  const refund = useRefund()
  const [isConfirming, setIsConfirming] = useState(false)
  const [error, setError] = useState<string>()
  // After a partial refund, the rest. A rejected full refund, which `refundedCents` includes, is sent again in full.
  const { amountCents, refundedCents } = order
  const refundableCents = refundedCents < amountCents ? amountCents - refundedCents : amountCents
  const hasGoods = order.lines.some(({ kind }) => kind !== 'digital')
  const stockText = hasShipped(order) ? ', the items are not restocked' : ', the items go back in stock'

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (refund.isPending) return
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason === '') return setError('Please give a reason.')
    setError(undefined)
    refund.mutate(
      { id: order.id, reason },
      {
        onSuccess: ({ refundRefused }) => {
          if (refundRefused) return setError(PROVIDER_REJECTED)
          setIsConfirming(false)
          toast({ title: 'Refund sent', text: `${formatPrice(refundableCents)} goes back to the card.` })
        },
        onError: (refundError) => setError(errorMessage(refundError)),
      },
    )
  }

  if (!isConfirming)
    return (
      <Button
        variant={order.refundRefused ? 'outline' : 'text'}
        className={order.refundRefused ? 'mt-5' : 'mt-5 -ml-3'}
        onClick={() => setIsConfirming(true)}
      >
        {order.refundRefused
          ? 'Send the refund again'
          : `Refund ${refundedCents > 0 ? 'the rest' : 'the whole order'}, ${formatPrice(refundableCents)}`}
      </Button>
    )
  return (
    <form
      noValidate
      method="post"
      onSubmit={submit}
      className="mt-5 grid gap-5 border-l-4 border-sunset bg-sleeve p-5"
      aria-label="Refund the whole order"
    >
      <p>
        <strong className="tabular-figures">{formatPrice(refundableCents)}</strong> goes back to the buyer’s card
        {hasGoods && stockText}, and the points that the order earned are taken back. This cannot be undone.
      </p>
      <TextField label="Reason" name="reason" maxLength={200} required autoFocus error={error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={refund.isPending}>
          {refund.isPending ? 'One moment' : 'Refund the order'}
        </Button>
        <Button onClick={() => setIsConfirming(false)}>Cancel</Button>
      </div>
    </form>
  )
}
