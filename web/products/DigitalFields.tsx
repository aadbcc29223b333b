import type { VariantDraft } from '../../worker/contract/admin-content'
import { MoneyField } from '../admin/RecordField'
import { useDigitalGoodOptions } from '../releases/music-admin.queries'
import { SelectField } from '../ui/Field'

type DigitalGoodFieldProps = { label: string; variant: VariantDraft; onChange: (variant: VariantDraft) => void }

/** Selects the release or track that a digital variant sells. */
export function DigitalGoodField({ label, variant, onChange }: DigitalGoodFieldProps) {
  const value = optionValueOf(variant)
  const options = useDigitalGoodOptions('slug')
  return (
    <SelectField
      label={label}
      hint="MP3 comes from each track’s recording, FLAC or WAV from its master. A format is offered once every track has it."
      // While the list loads, the current value has no label yet.
      options={options.some((option) => option.value === value) ? options : [...options, { value, label: 'Loading' }]}
      value={value}
      onChange={({ target }) => {
        const [kind, id = ''] = target.value.split(':')
        onChange({
          ...variant,
          releaseSlug: kind === 'release' ? id : null,
          trackId: kind === 'track' ? Number(id) : null,
        })
      }}
    />
  )
}

/** Value of the option for the variant's track or release; empty without one. */
function optionValueOf({ trackId, releaseSlug }: VariantDraft): string {
  if (trackId !== null) return `track:${trackId}`
  return releaseSlug ? `release:${releaseSlug}` : ''
}

type MinimumPriceFieldProps = {
  /** Name of the variant; empty if there is only one. */
  name: string
  /** Null for a fixed price. */
  minimumCents: number | null
  onChange: (minimumCents: number | null) => void
  error: string | undefined
}

const PRICE_MODES = [
  { value: 'fixed', label: 'Fixed price' },
  { value: 'chosen', label: 'Pay what you want' },
]

/** Switches between a fixed price and pay what you want, with its minimum. */
export function MinimumPriceField({ name, minimumCents, onChange, error }: MinimumPriceFieldProps) {
  const label = (text: string) => (name ? `${name}: ${text.toLowerCase()}` : text)
  return (
    <div className="grid content-start gap-6">
      <SelectField
        label={label('Pricing')}
        options={PRICE_MODES}
        value={minimumCents === null ? 'fixed' : 'chosen'}
        onChange={({ target }) => onChange(target.value === 'fixed' ? null : 0)}
        hint={minimumCents === null ? undefined : 'The price is what we suggest.'}
      />
      {minimumCents !== null && (
        <MoneyField
          label={label('Lowest price')}
          required
          value={minimumCents}
          // A cleared field is a minimum of 0, not a fixed price.
          onChange={(cents) => onChange(cents ?? 0)}
          error={error}
          hint="0 lets fans take it for free."
        />
      )}
    </div>
  )
}
