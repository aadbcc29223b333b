import { clsx } from 'clsx'
import { ListFilter, X } from 'lucide-react'
import { CheckField, TextField } from '../../ui/Field'
import { Popover } from '../../ui/Popover'
import type { ListFilterDefinition } from './list-definition'
import type { AdminListState } from './useAdminList'

type Props<Row> = { filters: readonly ListFilterDefinition[]; state: AdminListState<Row> }

/** A chip for each filter: pressing it shows the values to choose. The chip of a set filter has a remove button. */
export function FilterChips<Row>({ filters, state }: Props<Row>) {
  const setFilter = (id: string, value: string) => {
    const { [id]: _, ...others } = state.urlState.filters
    state.update({ filters: value === '' ? others : { ...others, [id]: value } })
  }
  return (
    <ul aria-label="Filters" className="contents">
      {filters.map((filter) => {
        const value = state.urlState.filters[filter.id] ?? ''
        return (
          <li key={filter.id} className="inline-flex">
            <Popover label={`Filter by ${filter.label.toLowerCase()}`} trigger={<Chip filter={filter} value={value} />}>
              {filter.kind === 'choice' ? (
                <ChoiceFilter filter={filter} value={value} onChange={(next) => setFilter(filter.id, next)} />
              ) : (
                <DaysFilter value={value} onChange={(next) => setFilter(filter.id, next)} />
              )}
            </Popover>
            {value !== '' && (
              <button
                type="button"
                aria-label={`Remove the filter ${filter.label}`}
                className="inline-grid size-11 place-items-center rounded-r-full border border-l-0 border-gold text-gold hover:text-gold-bright"
                onClick={() => setFilter(filter.id, '')}
              >
                <X size={16} aria-hidden />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Chip({ filter, value, ...button }: { filter: ListFilterDefinition; value: string }) {
  return (
    <button
      type="button"
      {...button}
      className={clsx(
        'inline-flex min-h-11 items-center gap-2 border px-4 text-sm',
        value === ''
          ? 'rounded-full border-dashed border-rule-strong text-muted hover:text-ivory'
          : 'rounded-l-full border-gold text-gold-bright',
      )}
    >
      {value === '' && <ListFilter size={16} aria-hidden />}
      {value === '' ? filter.label : `${filter.label}: ${describeValue(filter, value)}`}
    </button>
  )
}

function describeValue(filter: ListFilterDefinition, value: string): string {
  if (filter.kind === 'choice')
    return value
      .split(',')
      .map((chosen) => filter.options.find((option) => option.value === chosen)?.label ?? chosen)
      .join(', ')
  const [from = '', to = ''] = value.split('..')
  if (from === '') return `until ${to}`
  return to === '' ? `from ${from}` : `${from} to ${to}`
}

type ValueProps = { value: string; onChange: (value: string) => void }

function ChoiceFilter({ filter, value, onChange }: ValueProps & { filter: ListFilterDefinition & { kind: 'choice' } }) {
  const chosen = value === '' ? [] : value.split(',')
  return (
    <>
      {filter.options.map((option) => (
        <CheckField
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          onChange={(event) => {
            const isChosen = event.currentTarget.checked
            onChange(
              filter.options
                .map((other) => other.value)
                .filter((other) => (other === option.value ? isChosen : chosen.includes(other)))
                .join(','),
            )
          }}
        />
      ))}
    </>
  )
}

function DaysFilter({ value, onChange }: ValueProps) {
  const [from = '', to = ''] = value.split('..')
  const setDays = (nextFrom: string, nextTo: string) =>
    onChange(nextFrom + nextTo === '' ? '' : `${nextFrom}..${nextTo}`)
  // `required` hides the word 'optional' beside the labels: a range may lack one end.
  return (
    <div className="grid gap-4">
      <TextField
        label="From"
        type="date"
        required
        value={from}
        max={to || undefined}
        onChange={(event) => setDays(event.currentTarget.value, to)}
      />
      <TextField
        label="To"
        type="date"
        required
        value={to}
        min={from || undefined}
        onChange={(event) => setDays(from, event.currentTarget.value)}
      />
    </div>
  )
}
