import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import type { ShippingAddress } from '../../worker/contract/checkout'
import { useMe } from '../auth/auth.queries'
import { CheckField } from '../ui/Field'
import { addressLines } from './address-lines'
import { savedAddresses } from './addresses.queries'
import { AddressFields } from './BuyerFields'
import { type BuyerInput, EMPTY_ADDRESS } from './buyer-schema'

/** `savedId` is null for a new address; `savesAddress` saves it with the payment. */
export type AddressChoice = { savedId: string | null; savesAddress: boolean }

type Props = {
  form: UseFormReturn<BuyerInput>
  choice: AddressChoice
  onChoose: (choice: AddressChoice) => void
  /** Why nothing ships to the chosen country; undefined if it does. */
  unservedText: string | undefined
}

/** The delivery address: a new one, or for supporters one of their saved addresses. */
export function ShipTo({ form, choice, onChoose, unservedText }: Props) {
  const me = useMe()
  const saved = useQuery({ ...savedAddresses, enabled: Boolean(me) }).data ?? []
  const { register, watch, setValue, formState } = form
  const choose = (savedId: string | null, address: ShippingAddress) => {
    onChoose({ ...choice, savedId })
    setValue(
      'shippingAddress',
      { ...EMPTY_ADDRESS, ...address },
      { shouldDirty: true, shouldValidate: savedId !== null },
    )
  }
  return (
    <>
      {me && saved.length > 0 && (
        <fieldset className="mb-8 border-y border-rule">
          <legend className="sr-only">Your addresses</legend>
          {saved.map(({ id, shippingAddress }) => (
            <AddressOption
              key={id}
              isChecked={choice.savedId === id}
              onCheck={() => choose(id, shippingAddress)}
              lines={addressLines(shippingAddress)}
            />
          ))}
          <AddressOption
            isChecked={choice.savedId === null}
            onCheck={() => choose(null, EMPTY_ADDRESS)}
            lines={['Another address']}
          />
        </fieldset>
      )}
      {choice.savedId === null && (
        <>
          <AddressFields
            register={register}
            errors={formState.errors}
            isUS={watch('shippingAddress.country') === 'US'}
            countryError={unservedText}
          />
          {me && (
            <CheckField
              className="mt-4"
              label="Save this address for next time"
              checked={choice.savesAddress}
              onChange={(event) => onChoose({ ...choice, savesAddress: event.target.checked })}
            />
          )}
        </>
      )}
    </>
  )
}

function AddressOption({ isChecked, onCheck, lines }: { isChecked: boolean; onCheck: () => void; lines: string[] }) {
  const [first, ...rest] = lines
  return (
    <label className="flex min-h-16 cursor-pointer items-center gap-4 border-t border-rule py-3 first-of-type:border-t-0">
      <input
        type="radio"
        name="saved-address"
        checked={isChecked}
        onChange={onCheck}
        className="size-5 shrink-0 accent-gold"
      />
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-semibold">{first}</span>
        {rest.length > 0 && <span className="block text-sm text-muted">{rest.join(', ')}</span>}
      </span>
    </label>
  )
}
