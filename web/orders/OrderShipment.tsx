import type { FormEvent } from 'react'
import type { AdminOrderRecord, Fulfilment } from '../../worker/contract/orders'
import { toOptions } from '../admin/list/list-definition'
import { Panel } from '../admin/Panel'
import { Button } from '../ui/Button'
import { SelectField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { CarrierField } from './CarrierField'
import { FULFILMENT_LABELS } from './order-labels'
import { useUpdateFulfilment } from './orders-admin.queries'

/** State, carrier and tracking number of a paid order's shipment. */
export function OrderShipment({ order }: { order: AdminOrderRecord }) {
  const update = useUpdateFulfilment()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (update.isPending) return
    const data = new FormData(event.currentTarget)
    const textOf = (name: string) => String(data.get(name)).trim()
    const isFirstShipment = textOf('fulfilment') === 'shipped' && !order.events.some(({ kind }) => kind === 'shipped')
    // Callbacks of `mutate` are lost if the refetched order replaces this form first.
    update
      .mutateAsync({
        id: order.id,
        fulfilment: textOf('fulfilment') as Fulfilment,
        carrier: textOf('carrier'),
        tracking: textOf('tracking'),
      })
      .then(
        () =>
          toast({
            title: 'Shipment saved',
            text: isFirstShipment ? 'The buyer gets an email about it.' : 'The buyer sees it on the receipt.',
          }),
        toastError('Not saved'),
      )
  }
  return (
    <Panel title="Shipment" note="The buyer gets an email when the order is first marked as shipped.">
      <form noValidate method="post" onSubmit={submit} className="grid gap-5">
        <SelectField
          label="State"
          name="fulfilment"
          options={toOptions(FULFILMENT_LABELS)}
          defaultValue={order.fulfilment}
        />
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
          {update.isPending ? 'Saving' : 'Save the shipment'}
        </Button>
      </form>
    </Panel>
  )
}
