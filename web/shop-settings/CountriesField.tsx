import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/Button'
import { SelectField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { COUNTRY_GROUPS, countryOptions, zoneCountryName } from './countries'

type Props = { value: readonly string[]; onChange: (codes: string[]) => void; error?: string }

/** The countries of a zone. A select adds one country, buttons add groups. */
export function CountriesField({ value, onChange, error }: Props) {
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const add = (codes: readonly string[]) => onChange([...new Set([...value, ...codes])])
  function remove(code: string) {
    onChange(value.filter((other) => other !== code))
    fieldset.current?.querySelector('select')?.focus()
  }
  const sorted = [...value].sort((a, b) => zoneCountryName(a).localeCompare(zoneCountryName(b)))
  return (
    <fieldset ref={fieldset} className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Countries</legend>
      {sorted.length > 0 && (
        <ul className="mb-4 flex max-h-60 flex-wrap gap-2 overflow-y-auto">
          {sorted.map((code) => (
            <li key={code} className="flex min-h-11 items-center gap-1 border border-rule bg-sleeve pl-3 text-sm">
              {zoneCountryName(code)}
              <button
                type="button"
                aria-label={`Remove ${zoneCountryName(code)}`}
                onClick={() => remove(code)}
                className="grid size-11 place-items-center text-muted hover:text-gold-bright"
              >
                <X size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label="Add a country"
          className="min-w-56 flex-1"
          value=""
          onChange={(event) => add([event.target.value])}
          options={[
            { value: '', label: 'Choose a country' },
            ...countryOptions.filter(({ value: code }) => !value.includes(code)),
          ]}
        />
        {COUNTRY_GROUPS.filter(({ codes }) => codes.some((code) => !value.includes(code))).map(({ label, codes }) => (
          <Button key={label} onClick={() => add(codes)}>
            <Plus size={18} aria-hidden />
            {label}
          </Button>
        ))}
      </div>
      {error ? (
        <GroupError>{error}</GroupError>
      ) : (
        <p className="mt-2 text-sm text-muted">
          A country can be in only one zone. Buyers elsewhere cannot order shipped goods.
        </p>
      )}
    </fieldset>
  )
}
