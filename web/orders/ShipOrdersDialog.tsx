import { type FormEvent, useState } from 'react'
import type { AdminOrder } from '../../worker/contract/orders'
import type { BulkDialogProps } from '../admin/list/list-definition'
import { errorMessage } from '../api/call'
import { formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { CarrierField } from './CarrierField'
import { useShipOrders } from './orders-admin.queries'

/**
 * Marks the selected orders as shipped, each with its own tracking number. Orders that fail stay in the dialog, with
 * the reason.
 */
export function ShipOrdersDialog({ rows, onDone, onClose }: BulkDialogProps<AdminOrder>) {
  const ship = useShipOrders()
  const [orders, setOrders] = useState(rows)
  const [carrier, setCarrier] = useState('')
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (ship.isPending) return
    const data = new FormData(event.currentTarget)
    const textOf = (name: string) => String(data.get(name) ?? '').trim()
    ship.mutate(
      orders.map(({ id }) => ({
        id,
        carrier: textOf(`carrier ${id}`) || carrier.trim(),
        tracking: textOf(`tracking ${id}`),
      })),
      {
        onSuccess: (results) => {
          const failed = new Map(results.flatMap(({ id, error }) => (error === null ? [] : [[id, error] as const])))
          const shipped = orders.filter(({ id }) => !failed.has(id))
          onDone(shipped)
          if (shipped.length > 0)
            toast({
              title: `${formatCountOf(shipped.length, 'order')} shipped`,
              text: 'Each buyer gets an email about it.',
            })
          if (failed.size === 0) return onClose()
          setErrors(failed)
          setOrders(orders.filter(({ id }) => failed.has(id)))
        },
      },
    )
  }

  const title = `Mark ${formatCountOf(orders.length, 'order')} as shipped`
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate method="post" onSubmit={submit} className="grid gap-6 p-6 md:p-9">
        <header className="mr-10">
          <h2 className="font-display text-xl">{title}</h2>
          <p className="mt-2 text-sm text-muted">Each buyer gets one email with what you enter here.</p>
        </header>
        <CarrierField
          label="Carrier for all"
          value={carrier}
          onChange={(event) => setCarrier(event.currentTarget.value)}
        />
        <ul className="grid gap-4">
          {orders.map((order) => (
            <li key={order.id} className="border-t border-rule pt-4">
              <fieldset>
                <legend className="sr-only">Order {order.id}</legend>
                <p className="font-semibold wrap-anywhere">{order.productName}</p>
                <p className="text-sm text-muted wrap-anywhere">
                  {order.username ?? order.email ?? 'No email'}, {order.id}
                </p>
                <div className="mt-3 grid gap-4 sm:grid-cols-[1fr_2fr]">
                  <CarrierField name={`carrier ${order.id}`} placeholder={carrier} defaultValue={order.carrier} />
                  <TextField
                    label="Tracking"
                    name={`tracking ${order.id}`}
                    defaultValue={order.tracking}
                    maxLength={100}
                    autoComplete="off"
                    spellCheck={false}
                    error={errors.get(order.id)}
                  />
                </div>
              </fieldset>
            </li>
          ))}
        </ul>
        {ship.error && (
          <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4 text-sm">
            {errorMessage(ship.error)}
          </p>
        )}
        {errors.size > 0 && (
          <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4 text-sm">
            {errors.size === 1 ? 'One order was' : `${errors.size} orders were`} not marked as shipped. See the reason
            next to each.
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" aria-disabled={ship.isPending}>
            {ship.isPending ? 'One moment' : 'Mark as shipped'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
