import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type Order, ordersApi } from '../../worker/contract/orders'
import { call, errorMessage } from '../api/call'
import { type Buyer, buyerSchema } from '../checkout/buyer-schema'
import { AddressFields, ContactFields } from '../checkout/ContactFields'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { orderBySecret } from './orders.queries'

const EMPTY_ADDRESS = { name: '', line1: '', line2: '', city: '', state: '', postalCode: '', country: 'US' }

/** What a paid order lacks to be sent: only that is asked for, what it has cannot be changed here. */
export function AddAddressForm({ order, secret }: { order: Order; secret: string }) {
  const queries = useQueryClient()
  const { register, handleSubmit, watch, formState } = useForm<Buyer>({
    resolver: standardSchemaResolver(buyerSchema({ ships: true })),
    mode: 'onTouched',
    defaultValues: { email: order.email ?? '', shippingAddress: order.shippingAddress ?? EMPTY_ADDRESS },
  })
  const add = useMutation({
    mutationFn: (buyer: Buyer) =>
      call(ordersApi.addAddress, { id: order.id, body: { clientSecret: secret, ...buyer } }),
    onSuccess: (complete) => {
      queries.setQueryData(orderBySecret(order.id, secret).queryKey, complete)
      toast({ title: 'Address saved', text: 'We know where to send your order now.' })
    },
    // It may have been completed, or sent, in another window.
    onError: () => queries.invalidateQueries(orderBySecret(order.id, secret)),
  })
  const { errors } = formState
  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit((buyer) => !add.isPending && add.mutate(buyer))}
      aria-label="What is missing"
      className="grid w-full max-w-xl gap-6"
    >
      {order.email === null && <ContactFields register={register} errors={errors} />}
      {order.shippingAddress === null && (
        <AddressFields register={register} errors={errors} domestic={watch('shippingAddress.country') === 'US'} />
      )}
      {add.error && (
        <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4">
          {errorMessage(add.error)}
        </p>
      )}
      <Button type="submit" variant="foil" aria-disabled={add.isPending} className="justify-self-start px-8">
        {add.isPending ? 'Saving' : 'Save the address'}
      </Button>
    </form>
  )
}
