import type { FormEvent } from 'react'
import type { AdminOrder, Fulfilment } from '../../worker/contract/orders'
import { Button } from '../ui/Button'
import { SelectField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { fulfilmentOptions } from './order-labels'
import { useUpdateFulfilment } from './orders-admin.queries'

/** Where the parcel is. The buyer reads it on the receipt. */
export function FulfilmentForm({ order }: { order: AdminOrder }) {
  const fulfil = useUpdateFulfilment()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (fulfil.isPending) return
    const data = new FormData(event.currentTarget)
    fulfil.mutate(
      {
        id: order.id,
        fulfilment: String(data.get('fulfilment')) as Fulfilment,
        tracking: String(data.get('tracking')).trim(),
      },
      {
        onSuccess: () => toast({ title: 'Parcel saved', text: 'The buyer’s receipt says so.' }),
        onError: ({ message }) => toast({ title: 'Not saved', text: message, tone: 'destructive' }),
      },
    )
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5 border-t border-rule pt-6 sm:grid-cols-2">
      <SelectField label="Parcel" name="fulfilment" options={fulfilmentOptions} defaultValue={order.fulfilment} />
      <TextField
        label="Tracking"
        name="tracking"
        defaultValue={order.tracking}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" aria-disabled={fulfil.isPending} className="justify-self-start">
        {fulfil.isPending ? 'Saving' : 'Save the parcel'}
      </Button>
    </form>
  )
}
