import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { PaymentIntent, ShippingAddress, ShippingMethod, TaxLocation } from '../../worker/contract/checkout'
import type { SiteConfig } from '../../worker/contract/site'
import { errorMessage, hasCode } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'
import { useSaveAddress, useUnservedText } from './addresses.queries'
import { ContactFields, TaxLocationFields } from './BuyerFields'
import { readBuyerDraft, saveBuyerDraft } from './buyer-draft'
import {
  type BuyerInput,
  buyerSchema,
  EMPTY_ADDRESS,
  EMPTY_TAX_LOCATION,
  parseAddress,
  parseTaxLocation,
} from './buyer-schema'
import { type CardHandle, CardPanel } from './CardPanel'
import { isOrderClosed, isPaidOrBeingPaid, type OrderChange } from './order.queries'
import { type AddressChoice, ShipTo } from './ShipTo'

type Props = {
  site: SiteConfig
  order: PaymentIntent
  onChange: (change: OrderChange) => Promise<PaymentIntent>
  isChanging: boolean
  /** Starts a new order after this one expired. Resolves to an error, or null on success. */
  onOrderClosed: () => Promise<Error | null>
  /** Called with the order's id before it is charged, because the charge may lead to a bank's page. */
  onCharge?: (orderId: string) => void
}

/** Why nothing was charged. `text` is empty if the card form shows the reason. */
type PaymentFailure = { title: string; text: string }
const paymentFailed = (text: string): PaymentFailure => ({ title: 'Payment Failed', text })
const CHECK_ORDER_TITLE = 'Please check your order'
const orderNeedsCheck = (text: string): PaymentFailure => ({ title: CHECK_ORDER_TITLE, text })
const ORDER_EXPIRED = orderNeedsCheck('This order expired, so we started a new one. Please check it and pay again.')

/** Debounce of address changes before the order is updated. */
const ADDRESS_DEBOUNCE_MS = 300

/** Contact, address or tax location, delivery and payment of an order. */
export function CheckoutForm({ site, order, onChange, isChanging, onOrderClosed, onCharge }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const ships = order.lines.some(({ kind }) => kind === 'shipped')
  const method = order.shippingMethods.find(({ id }) => id === order.shippingMethodId)
  const needsAddress = ships && !method?.isPickup
  const { taxLocationFields } = order
  const schema = useMemo(
    () => buyerSchema({ address: needsAddress, taxLocation: taxLocationFields }),
    [needsAddress, taxLocationFields],
  )
  const resolver = useMemo(() => standardSchemaResolver(schema), [schema])
  const form = useForm<BuyerInput>({
    resolver,
    mode: 'onTouched',
    defaultValues: readBuyerDraft() ?? {
      email: me?.email ?? '',
      shippingAddress: EMPTY_ADDRESS,
      taxLocation: EMPTY_TAX_LOCATION,
    },
  })
  const { register, handleSubmit, getValues, reset, watch, setError, formState } = form
  const [card, setCard] = useState<CardHandle | null>(null)
  const [isPaying, setIsPaying] = useState(false)
  const [failure, setFailure] = useState<PaymentFailure | null>(null)
  const [addressChoice, setAddressChoice] = useState<AddressChoice>({ savedId: null, savesAddress: false })
  const saveAddress = useSaveAddress()
  // A second click can arrive before the next render.
  const isBusy = useRef(false)
  /** The pending update of the destination; a payment waits for it, because concurrent changes conflict. */
  const destinationUpdate = useRef<Promise<unknown>>(undefined)
  const failureId = useId()
  const { errors } = formState
  const accountEmail = me?.email
  const getEmail = useCallback(() => getValues('email').trim(), [getValues])
  const isFree = order.clientSecret === null
  const chargeNote = isFree ? 'Nothing is charged.' : 'Card details never reach this site.'

  useEffect(() => () => saveBuyerDraft(getValues()), [getValues])

  // Fills in the account's email unless the buyer has typed another.
  useEffect(() => {
    if (accountEmail && readBuyerDraft() === null)
      reset({ ...getValues(), email: accountEmail }, { keepDirtyValues: true })
  }, [accountEmail, reset, getValues])

  /** Shows the error of an unserved country at its field. */
  const onAddressError = (error: Error) => {
    if (hasCode(error, 'unserved_country'))
      setError('shippingAddress.country', { message: errorMessage(error) }, { shouldFocus: true })
    else setFailure(orderNeedsCheck(errorMessage(error)))
  }
  const unservedText = useUnservedText(needsAddress ? watch('shippingAddress.country') : null)
  const destination = destinationOf({
    shippingAddress: needsAddress && !unservedText ? parseAddress(watch('shippingAddress')) : null,
    taxLocation: taxLocationFields && parseTaxLocation(watch('taxLocation'), taxLocationFields),
  })
  useDestinationChange(destination, async (change) => {
    // A payment in progress sends the address itself.
    if (isBusy.current) return
    setFailure((current) => (current?.title === CHECK_ORDER_TITLE ? null : current))
    destinationUpdate.current = onChange(change).catch(onAddressError)
    await destinationUpdate.current
  })

  async function pay(buyer: BuyerInput, paymentCard: CardHandle | null) {
    if (isBusy.current || !(paymentCard || isFree)) return
    isBusy.current = true
    setIsPaying(true)
    setFailure(null)
    await destinationUpdate.current
    const result = await buy(buyer, paymentCard).catch((error: Error) => {
      if (hasCode(error, 'unserved_country')) onAddressError(error)
      return paymentFailed(errorMessage(error))
    })
    isBusy.current = false
    setIsPaying(false)
    setFailure(result)
  }

  /** Updates the order, charges it and opens its receipt. Resolves to null on success. */
  async function buy(
    { email, shippingAddress, taxLocation }: BuyerInput,
    paymentCard: CardHandle | null,
  ): Promise<PaymentFailure | null> {
    if (paymentCard && !(await paymentCard.check())) return { title: '', text: '' }
    if (needsAddress && unservedText) return orderNeedsCheck(unservedText)
    let updated = order
    try {
      updated = await onChange({
        email,
        ...(needsAddress && { shippingAddress }),
        ...(taxLocationFields && { taxLocation }),
      })
      // Another client secret belongs to a new order.
      if (updated.clientSecret !== order.clientSecret && updated.status !== 'paid') return ORDER_EXPIRED
      // The address decides the methods, and this request may be the first to send it.
      if (ships && updated.shippingMethods.length > 0 && updated.shippingMethodId === null)
        return orderNeedsCheck('Choose how we should deliver it.')
      // A promotion code may have ended: never charge more than the button shows.
      if (updated.amountCents !== order.amountCents)
        return orderNeedsCheck('The total has changed. Please check it and pay again.')
      onCharge?.(updated.orderId)
      const declineMessage = paymentCard && updated.status !== 'paid' ? await paymentCard.charge() : null
      if (declineMessage !== null) return paymentFailed(declineMessage)
    } catch (error) {
      if (isOrderClosed(error)) {
        const newOrderError = await onOrderClosed()
        return newOrderError ? paymentFailed(errorMessage(newOrderError)) : ORDER_EXPIRED
      }
      // Another tab has paid or is paying this order: open its receipt.
      if (!isPaidOrBeingPaid(error)) throw error
    }
    // Saving a saved address again makes it the first of the list. `mutateAsync`, because the receipt replaces this
    // component, which would drop the error handler of `mutate`.
    if (me && needsAddress && (addressChoice.savesAddress || addressChoice.savedId !== null))
      void saveAddress.mutateAsync(shippingAddress).catch(toastError('Address not saved'))
    await openReceipt(updated)
    return null
  }

  const openReceipt = ({ orderId, clientSecret, receiptUrl }: PaymentIntent) => {
    const token = new URLSearchParams(receiptUrl?.split('?')[1]).get('token')
    return navigate({
      to: '/orders/$id',
      params: { id: orderId },
      search: { ...(token ? { token } : { client_secret: clientSecret ?? '' }), purchase: 'success' },
    })
  }

  /** Validates the form and shows its errors, before a wallet opens. */
  function validateForm(): boolean {
    const isValid = schema.safeParse(getValues()).success
    // After `handleSubmit`, an error disappears while the buyer types. Otherwise it would on blur, which pressing the
    // wallet's button causes, and the button would move away.
    if (!isValid) void handleSubmit(() => undefined)()
    return isValid
  }

  const sections = [
    <FormSection key="contact" title="Contact">
      <ContactFields register={register} errors={errors} />
    </FormSection>,
    taxLocationFields && (
      <FormSection key="location" title="Where you are">
        <TaxLocationFields
          register={register}
          errors={errors}
          required={taxLocationFields}
          country={watch('taxLocation.country')}
        />
      </FormSection>
    ),
    needsAddress && (
      <FormSection key="address" title="Ship to">
        <ShipTo form={form} choice={addressChoice} onChoose={setAddressChoice} unservedText={unservedText} />
      </FormSection>
    ),
    ships && (
      <FormSection key="delivery" title="Delivery">
        <DeliveryMethods
          methods={order.shippingMethods}
          hasAddress={parseAddress(watch('shippingAddress')) !== null}
          selectedId={order.shippingMethodId}
          onSelect={(shippingMethodId) => void onChange({ shippingMethodId }).catch(onAddressError)}
          isChanging={isChanging}
        />
      </FormSection>
    ),
    order.clientSecret !== null && (
      <FormSection key="payment" title="Payment">
        <CardPanel
          site={site}
          orderId={order.orderId}
          clientSecret={order.clientSecret}
          amountCents={order.amountCents}
          getEmail={getEmail}
          onReady={setCard}
          validateForm={validateForm}
          onWallet={(wallet) => void handleSubmit((buyer) => pay(buyer, wallet))()}
        />
      </FormSection>
    ),
  ]

  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit((buyer) => pay(buyer, card))}
      aria-label="Payment"
      className="checkout-form"
    >
      {sections}
      {failure?.text && (
        <div role="alert" id={failureId} className="mb-5 border-l-4 border-sunset bg-sleeve p-4">
          <p className="font-bold">{failure.title}</p>
          <p className="mt-1">{failure.text}</p>
        </div>
      )}
      <Button
        type="submit"
        variant="primary"
        disabled={!card && !isFree}
        aria-disabled={isPaying}
        aria-describedby={failure?.text ? failureId : undefined}
        className="pay-button"
      >
        <PayButtonLabel isPaying={isPaying} isFree={isFree} amountCents={order.amountCents} />
      </Button>
      <p role="status" className="mt-4 min-h-6 text-sm text-muted">
        {isPaying ? 'We’re processing your payment. Please keep this page open.' : chargeNote}
      </p>
    </form>
  )
}

type PayButtonLabelProps = { isPaying: boolean; isFree: boolean; amountCents: number }

function PayButtonLabel({ isPaying, isFree, amountCents }: PayButtonLabelProps) {
  if (isPaying)
    return (
      <>
        <span aria-hidden="true" className="disc spinner spinner-small" />
        Processing
      </>
    )
  if (isFree) return 'Complete the free order'
  return (
    <>
      <Lock size={18} aria-hidden />
      Pay {formatPrice(amountCents)}
    </>
  )
}

type Destination = Pick<OrderChange, 'shippingAddress' | 'taxLocation'>
type PartialDestination = { shippingAddress: ShippingAddress | null; taxLocation: TaxLocation | null }

/** The address or location that decides delivery and tax; null while incomplete. */
function destinationOf({ shippingAddress, taxLocation }: PartialDestination): Destination | null {
  if (shippingAddress) return { shippingAddress }
  return taxLocation && { taxLocation }
}

/** Calls `onDestination` with each complete address or tax location, debounced. */
function useDestinationChange(destination: Destination | null, onDestination: (destination: Destination) => void) {
  const lastKey = useRef('')
  const key = destination ? JSON.stringify(destination) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each destination.
  useEffect(() => {
    if (!destination || key === lastKey.current) return
    const timer = setTimeout(() => {
      lastKey.current = key
      onDestination(destination)
    }, ADDRESS_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key])
}

/** A section of the form, numbered by CSS. */
function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="checkout-section">
      <h2 id={id} className="checkout-heading mb-6 flex items-baseline gap-5 font-display text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

type DeliveryMethodsProps = {
  /** Only pick-ups until the address is known; empty if there are none, or if nothing ships to the address. */
  methods: readonly ShippingMethod[]
  selectedId: string | null
  onSelect: (id: string) => void
  hasAddress: boolean
  isChanging: boolean
}

/** Choice of the delivery method. Reserves its height until the address is known, to avoid a layout shift. */
function DeliveryMethods({ methods, selectedId, onSelect, hasAddress, isChanging }: DeliveryMethodsProps) {
  const addressText = hasAddress ? 'No delivery to this address yet.' : 'Enter your address to see how we can deliver.'
  if (methods.length === 0)
    return (
      <p className="flex min-h-16 items-center border-y border-rule text-muted">
        {isChanging ? 'Looking up delivery to your address' : addressText}
      </p>
    )
  return (
    <fieldset className="border-y border-rule">
      <legend className="sr-only">Delivery method</legend>
      {methods.map(({ id, name, priceCents }) => (
        <label
          key={id}
          className="flex min-h-16 cursor-pointer items-center gap-4 border-t border-rule first-of-type:border-t-0"
        >
          <input
            type="radio"
            name="delivery-method"
            value={id}
            checked={selectedId === id}
            onChange={() => onSelect(id)}
            className="size-5 shrink-0 accent-gold"
          />
          <span className="grow font-semibold">{name}</span>
          <span className="tabular-figures shrink-0">{priceCents === 0 ? 'Free' : formatPrice(priceCents)}</span>
        </label>
      ))}
    </fieldset>
  )
}
