import { useId } from 'react'
import { FieldError } from '../ui/FieldError'
import type { Choice, OptionGroup } from './variant-choice'

type Props = {
  groups: readonly OptionGroup[]
  choice: Choice
  onChoose: (choice: Choice) => void
  /** Which option is missing, after a press on a button that needs it. */
  error: { name: string; text: string } | null
}

/** A radio group for each option. Sold-out values are visible and disabled. */
export function VariantPicker({ groups, choice, onChoose, error }: Props) {
  return groups.map((group) => (
    <OptionRadios
      key={group.name}
      group={group}
      chosen={choice[group.name]}
      onChoose={(value) => onChoose({ ...choice, [group.name]: value })}
      error={error?.name === group.name ? error.text : null}
    />
  ))
}

type OptionProps = {
  group: OptionGroup
  chosen: string | undefined
  onChoose: (value: string) => void
  error: string | null
}

function OptionRadios({ group: { name, values }, chosen, onChoose, error }: OptionProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} data-option={name} className="mt-6">
      <legend className="font-label text-muted">
        {name}
        {chosen !== undefined && <span className="text-ivory normal-case tracking-normal"> {chosen}</span>}
      </legend>
      <div className="mt-3 flex flex-wrap gap-2">
        {values.map(({ value, isAvailable }) => (
          <label key={value} className="variant-option">
            <input
              type="radio"
              name={id}
              value={value}
              checked={chosen === value}
              disabled={!isAvailable}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            {value}
            {!isAvailable && <span className="sr-only">, sold out</span>}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
