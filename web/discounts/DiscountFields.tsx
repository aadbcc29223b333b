import { useState } from 'react'
import { utcToZonedTime, zonedTimeToUtc } from '../../worker/contract/zoned-time'
import { CheckField, SelectField, TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type TimeProps = {
  label: string
  /** ISO 8601; null for no limit. */
  value: string | null
  onChange: (value: string | null) => void
  /** IANA zone of the artist. */
  timeZone: string
  error?: string
}

/** An optional date and time in the artist's time zone. A date without a time means midnight. */
export function DiscountTimeField({ label, value, onChange, timeZone, error }: TimeProps) {
  const [zonedTime, setZonedTime] = useState(() =>
    value ? utcToZonedTime(Date.parse(value), timeZone) : { date: '', time: '' },
  )
  const update = (changes: Partial<typeof zonedTime>) => {
    const next = { ...zonedTime, ...changes }
    setZonedTime(next)
    onChange(
      next.date === '' ? null : new Date(zonedTimeToUtc(next.date, next.time || '00:00', timeZone)).toISOString(),
    )
  }
  return (
    <fieldset>
      <legend className="mb-2 font-label text-muted">{label}</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 *:min-w-0">
        <TextField
          label="Date"
          type="date"
          value={zonedTime.date}
          onChange={(event) => update({ date: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          value={zonedTime.time}
          onChange={(event) => update({ time: event.target.value })}
        />
      </div>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}

export const TIER_OPTIONS = [
  { value: '', label: 'Everyone' },
  { value: 'bronze', label: 'Supporters with an account' },
  { value: 'silver', label: 'Silver and gold members' },
  { value: 'gold', label: 'Gold members' },
]

/** The lowest tier that may use a code. The select's empty value stands for null: everyone. */
export function TierField({
  value,
  onChange,
  error,
}: {
  value: string | null
  onChange: (tier: string | null) => void
  error?: string
}) {
  return (
    <SelectField
      label="Tier"
      value={value ?? ''}
      error={error}
      options={TIER_OPTIONS}
      onChange={(event) => onChange(event.target.value || null)}
    />
  )
}

type ProductsProps = {
  /** Ids; empty for all products. */
  value: readonly string[]
  onChange: (productIds: string[]) => void
  products: readonly { id: string; name: string }[]
  error?: string
}

/** The products a discount applies to. A product that is no longer sold stays selected until it is removed here. */
export function ProductsField({ value, onChange, products, error }: ProductsProps) {
  const unsold = value.filter((id) => !products.some((product) => product.id === id))
  const options = [...products, ...unsold.map((id) => ({ id, name: `${id} (no longer sold)` }))]
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Products</legend>
      <div className="grid gap-x-6 sm:grid-cols-2">
        {options.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={value.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, id] : value.filter((other) => other !== id))
            }
          />
        ))}
      </div>
      {error ? (
        <GroupError>{error}</GroupError>
      ) : (
        <p role="status" className="mt-2 text-sm text-muted">
          {value.length === 0
            ? 'None chosen: the code is for all products.'
            : 'The code is for the chosen products only.'}
        </p>
      )}
    </fieldset>
  )
}
