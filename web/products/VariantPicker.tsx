import { useId } from 'react'
import { GroupError } from '../ui/FormError'
import type { Choice, OptionGroup } from './variant-choice'

type Props = {
  groups: readonly OptionGroup[]
  choice: Choice
  onChoose: (choice: Choice) => void
  /** The missing option, after the buyer pressed a button that needs it. */
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

const optionClass =
  'relative grid min-h-12 min-w-14 cursor-pointer place-items-center rounded-xs border border-rule-strong px-4 font-semibold transition-colors duration-150 ease-out hover:border-gold has-checked:border-gold has-checked:bg-gold has-checked:text-background has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-gold-bright has-disabled:cursor-not-allowed has-disabled:border-dashed has-disabled:border-rule-strong has-disabled:text-muted has-disabled:line-through forced-colors:has-checked:border-4'

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
          <label key={value} className={optionClass}>
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
      {error && <GroupError id={`${id}-error`}>{error}</GroupError>}
    </fieldset>
  )
}
