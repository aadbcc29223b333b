import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { SelectField, TextField } from '../ui/Field'
import type { Buyer } from './buyer-schema'
import { countries } from './countries'

type Props = { register: UseFormRegister<Buyer>; errors: FieldErrors<Buyer>; domestic?: boolean }

/** Where the receipt goes. */
export function ContactFields({ register, errors }: Props) {
  return (
    <TextField
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
      required
      hint="The receipt goes here."
      error={errors.email?.message}
      {...register('email')}
    />
  )
}

/** Where the parcel goes; `domestic` within the United States, where each has a state and a ZIP code. */
export function AddressFields({ register, errors, domestic = true }: Props) {
  const problem = errors.shippingAddress
  return (
    <div className="grid grid-cols-1 gap-6 sm:grid-cols-6">
      <SelectField
        className="sm:col-span-6"
        label="Country"
        autoComplete="shipping country"
        options={countries}
        error={problem?.country?.message}
        {...register('shippingAddress.country')}
      />
      <TextField
        className="sm:col-span-6"
        label="Full name"
        autoComplete="shipping name"
        maxLength={100}
        required
        error={problem?.name?.message}
        {...register('shippingAddress.name')}
      />
      <TextField
        className="sm:col-span-6"
        label="Street address"
        autoComplete="shipping address-line1"
        maxLength={120}
        required
        error={problem?.line1?.message}
        {...register('shippingAddress.line1')}
      />
      <TextField
        className="sm:col-span-6"
        label="Apartment, suite"
        autoComplete="shipping address-line2"
        maxLength={120}
        error={problem?.line2?.message}
        {...register('shippingAddress.line2')}
      />
      <TextField
        className="sm:col-span-2"
        label="City"
        autoComplete="shipping address-level2"
        maxLength={80}
        required
        error={problem?.city?.message}
        {...register('shippingAddress.city')}
      />
      <TextField
        className="sm:col-span-2"
        label={domestic ? 'State' : 'Region'}
        autoComplete="shipping address-level1"
        autoCapitalize="characters"
        maxLength={60}
        required={domestic}
        error={problem?.state?.message}
        {...register('shippingAddress.state')}
      />
      <TextField
        className="sm:col-span-2"
        label={domestic ? 'ZIP code' : 'Postal code'}
        autoComplete="shipping postal-code"
        maxLength={16}
        required={domestic}
        error={problem?.postalCode?.message}
        {...register('shippingAddress.postalCode')}
      />
    </div>
  )
}
