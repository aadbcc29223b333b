import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { ShippingMethodDraft } from '../../worker/contract/shop-settings'
import { toOptions } from '../admin/list/list-definition'
import { MoneyField } from '../admin/RecordField'
import { useListKeys } from '../lib/useListKeys'
import { Button } from '../ui/Button'
import { CheckField, SelectField, TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type MethodErrors = { [Name in keyof ShippingMethodDraft]?: unknown }
type Props = {
  value: readonly ShippingMethodDraft[]
  onChange: (methods: ShippingMethodDraft[]) => void
  error?: string
  /** Errors of the methods, by index. */
  errors?: readonly (object | undefined)[]
}

export const NEW_METHOD: ShippingMethodDraft = {
  name: 'Standard',
  pricing: 'items',
  baseCents: 800,
  perItemCents: 200,
  bands: [],
  freeFromCents: null,
}
const NEW_BAND = { upToGrams: 1000, priceCents: 800 }
const DEFAULT_FREE_FROM_CENTS = 10_000

/** The delivery methods of a zone, each with its prices. */
export function MethodsField({ value, onChange, error, errors }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { keys, removeKey } = useListKeys(value.length)
  const update = (index: number, changes: Partial<ShippingMethodDraft>) =>
    onChange(value.map((method, i) => (i === index ? { ...method, ...changes } : method)))
  function add() {
    onChange([...value, { ...NEW_METHOD, name: '' }])
    setTimeout(() => list.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus())
  }
  function remove(index: number) {
    removeKey(index)
    onChange(value.filter((_, i) => i !== index))
    list.current?.querySelector('input')?.focus()
  }
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Delivery methods</legend>
      <ul ref={list} className="grid gap-4">
        {value.map((method, index) => (
          <li key={keys[index]} className="border border-rule p-4">
            <MethodFields
              method={method}
              errors={(errors?.[index] ?? {}) as MethodErrors}
              onChange={(changes) => update(index, changes)}
            />
            {value.length > 1 && (
              <Button
                variant="text"
                className="mt-3"
                aria-label={`Remove method ${method.name || index + 1}`}
                onClick={() => remove(index)}
              >
                <Trash2 size={18} aria-hidden />
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button className="mt-4" onClick={add}>
        <Plus size={18} aria-hidden />
        Add a method
      </Button>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}

/** NaN instead of null for text that is not an amount: the schema rejects NaN, but null means no free delivery. */
const orInvalid = (cents: number | null): number => cents ?? Number.NaN

const messageOf = (error: unknown) => (error as { message?: string } | undefined)?.message

type FieldsProps = {
  method: ShippingMethodDraft
  errors: MethodErrors
  onChange: (changes: Partial<ShippingMethodDraft>) => void
}

function MethodFields({ method, errors, onChange }: FieldsProps) {
  const { name, pricing, baseCents, perItemCents, bands, freeFromCents } = method
  return (
    <div className="grid gap-4 *:min-w-0 sm:grid-cols-2">
      <TextField
        label="Name"
        required
        placeholder="Standard, 3 to 5 days"
        value={name}
        error={messageOf(errors.name)}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <SelectField
        label="Price by"
        value={pricing}
        options={toOptions<ShippingMethodDraft['pricing']>({ items: 'Number of items', weight: 'Weight' })}
        onChange={(event) =>
          onChange(
            event.target.value === 'weight'
              ? { pricing: 'weight', bands: bands.length > 0 ? bands : [NEW_BAND] }
              : { pricing: 'items' },
          )
        }
      />
      {pricing === 'items' ? (
        <>
          <MoneyField
            label="First item"
            required
            value={baseCents}
            error={messageOf(errors.baseCents)}
            onChange={(cents) => onChange({ baseCents: orInvalid(cents) })}
          />
          <MoneyField
            label="Each further item"
            required
            value={perItemCents}
            error={messageOf(errors.perItemCents)}
            onChange={(cents) => onChange({ perItemCents: orInvalid(cents) })}
          />
        </>
      ) : (
        <BandsFields bands={bands} error={bandsError(errors.bands)} onChange={(next) => onChange({ bands: next })} />
      )}
      <div className="sm:col-span-2">
        <CheckField
          label="Free from an amount"
          checked={freeFromCents !== null}
          onChange={(event) => onChange({ freeFromCents: event.target.checked ? DEFAULT_FREE_FROM_CENTS : null })}
        />
        {freeFromCents !== null && (
          <MoneyField
            label="Free from"
            required
            hint="Compared with the price of the goods after discounts."
            value={freeFromCents}
            error={messageOf(errors.freeFromCents)}
            onChange={(cents) => onChange({ freeFromCents: orInvalid(cents) })}
          />
        )}
      </div>
    </div>
  )
}

/** The error of the list, or of its first invalid band. */
function bandsError(error: unknown): string | undefined {
  const entries = Array.isArray(error) ? (error as ({ upToGrams?: unknown; priceCents?: unknown } | undefined)[]) : []
  const invalidBand = entries.find(Boolean)
  return (
    messageOf(error) ??
    messageOf((error as { root?: unknown } | undefined)?.root) ??
    messageOf(invalidBand?.upToGrams) ??
    messageOf(invalidBand?.priceCents)
  )
}

type BandsProps = {
  bands: ShippingMethodDraft['bands']
  error?: string
  onChange: (bands: ShippingMethodDraft['bands']) => void
}

function BandsFields({ bands, error, onChange }: BandsProps) {
  const { keys, removeKey } = useListKeys(bands.length)
  const update = (index: number, changes: Partial<ShippingMethodDraft['bands'][number]>) =>
    onChange(bands.map((band, i) => (i === index ? { ...band, ...changes } : band)))
  return (
    <div className="sm:col-span-2">
      <ul className="grid gap-3">
        {bands.map((band, index) => (
          <li key={keys[index]} className="grid grid-cols-[1fr_1fr_auto] items-end gap-4 *:min-w-0">
            <TextField
              label="Up to"
              required
              inputMode="numeric"
              after={<span className="text-muted">g</span>}
              value={Number.isNaN(band.upToGrams) ? '' : String(band.upToGrams)}
              onChange={(event) =>
                update(index, { upToGrams: event.target.value === '' ? Number.NaN : Number(event.target.value) })
              }
            />
            <MoneyField
              label="Price"
              required
              value={band.priceCents}
              onChange={(cents) => update(index, { priceCents: orInvalid(cents) })}
            />
            <Button
              variant="text"
              aria-label={
                Number.isNaN(band.upToGrams)
                  ? `Remove band ${index + 1}`
                  : `Remove the band up to ${band.upToGrams} grams`
              }
              aria-disabled={bands.length === 1}
              onClick={() => {
                if (bands.length === 1) return
                removeKey(index)
                onChange(bands.filter((_, i) => i !== index))
              }}
            >
              <Trash2 size={18} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Button
        className="mt-3"
        onClick={() => {
          const last = bands.at(-1) ?? NEW_BAND
          onChange([...bands, { upToGrams: last.upToGrams + 1000, priceCents: last.priceCents }])
        }}
      >
        <Plus size={18} aria-hidden />
        Add a weight band
      </Button>
      {error ? (
        <GroupError>{error}</GroupError>
      ) : (
        <p className="mt-2 text-sm text-muted">A heavier order cannot be sent with this method.</p>
      )}
    </div>
  )
}
