import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import type { TaxLocationFields as RequiredTaxFields } from '../../worker/contract/checkout'
import { COUNTRY_CODES } from '../../worker/contract/countries'
import { MAX_EMAIL_CHARS } from '../../worker/contract/credential-rules'
import { SelectField, TextField } from '../ui/Field'
import { countryName } from './address-lines'
import type { BuyerInput } from './buyer-schema'

type Props = {
  register: UseFormRegister<BuyerInput>
  errors: FieldErrors<BuyerInput>
  /** Whether the address is in the United States, where state and ZIP code are required. */
  isUS?: boolean
  /** Shown at the country if its own validation finds no error. */
  countryError?: string
}

export function ContactFields({ register, errors }: Props) {
  return (
    <TextField
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={MAX_EMAIL_CHARS}
      required
      hint="The receipt goes here."
      error={errors.email?.message}
      {...register('email')}
    />
  )
}

export function AddressFields({ register, errors, isUS = true, countryError }: Props) {
  const addressErrors = errors.shippingAddress
  return (
    <div className="grid grid-cols-1 gap-6 sm:grid-cols-6">
      <SelectField
        className="sm:col-span-6"
        label="Country"
        autoComplete="shipping country"
        options={countryOptions}
        error={addressErrors?.country?.message ?? countryError}
        {...register('shippingAddress.country')}
      />
      <TextField
        className="sm:col-span-6"
        label="Full name"
        autoComplete="shipping name"
        maxLength={100}
        required
        error={addressErrors?.name?.message}
        {...register('shippingAddress.name')}
      />
      <TextField
        className="sm:col-span-6"
        label="Street address"
        autoComplete="shipping address-line1"
        maxLength={120}
        required
        error={addressErrors?.line1?.message}
        {...register('shippingAddress.line1')}
      />
      <TextField
        className="sm:col-span-6"
        label="Apartment, suite"
        autoComplete="shipping address-line2"
        maxLength={120}
        error={addressErrors?.line2?.message}
        {...register('shippingAddress.line2')}
      />
      <TextField
        className="sm:col-span-2"
        label="City"
        autoComplete="shipping address-level2"
        maxLength={80}
        required
        error={addressErrors?.city?.message}
        {...register('shippingAddress.city')}
      />
      <TextField
        className="sm:col-span-2"
        label={isUS ? 'State' : 'Region'}
        autoComplete="shipping address-level1"
        autoCapitalize="characters"
        maxLength={60}
        required={isUS}
        error={addressErrors?.state?.message}
        {...register('shippingAddress.state')}
      />
      <TextField
        className="sm:col-span-2"
        label={isUS ? 'ZIP code' : 'Postal code'}
        autoComplete="shipping postal-code"
        maxLength={16}
        required={isUS}
        error={addressErrors?.postalCode?.message}
        {...register('shippingAddress.postalCode')}
      />
    </div>
  )
}

type LocationProps = Pick<Props, 'register' | 'errors'> & { required: RequiredTaxFields; country: string }

/** The buyer's location for the tax of orders without delivery. */
export function TaxLocationFields({ register, errors, required, country }: LocationProps) {
  const locationErrors = errors.taxLocation
  return (
    <div className="grid grid-cols-1 gap-6 sm:grid-cols-6">
      <SelectField
        className="sm:col-span-6"
        label="Country"
        autoComplete="billing country"
        options={[{ value: '', label: 'Choose your country' }, ...countryOptions]}
        hint="It decides the tax."
        error={locationErrors?.country && 'Choose your country: it decides the tax.'}
        {...register('taxLocation.country')}
      />
      {required.stateCountries.includes(country) && (
        <TextField
          className="sm:col-span-3"
          label={country === 'CA' ? 'Province' : 'State'}
          autoComplete="billing address-level1"
          autoCapitalize="characters"
          maxLength={60}
          required
          error={locationErrors?.state?.message}
          {...register('taxLocation.state')}
        />
      )}
      {required.postalCodeCountries.includes(country) && (
        <TextField
          className="sm:col-span-3"
          label="ZIP code"
          autoComplete="billing postal-code"
          maxLength={16}
          required
          error={locationErrors?.postalCode?.message}
          {...register('taxLocation.postalCode')}
        />
      )}
    </div>
  )
}

/** Select options, the United States first. */
const countryOptions: readonly { value: string; label: string }[] = COUNTRY_CODES.map((value) => ({
  value,
  label: countryName(value),
})).sort((a, b) => Number(b.value === 'US') - Number(a.value === 'US') || a.label.localeCompare(b.label))
