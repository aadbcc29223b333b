import { clsx } from 'clsx'
import { type FormEvent, useId, useState } from 'react'
import { MAX_RANGE_DAYS, RANGE_DAYS } from '../../../worker/contract/metrics'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/Field'
import { type DayRangeChoice, previousMonth } from './day-range'

type Props = {
  choice: DayRangeChoice
  onChange: (choice: DayRangeChoice) => void
  /** Today in the artist's time zone, and the last day to choose; undefined while loading. */
  today: string | undefined
}

const DAY_MS = 86_400_000

/** Chooses 7, 30 or 90 days, the last calendar month, or a first and a last day. */
export function DayRangePicker({ choice, onChange, today }: Props) {
  const lastMonth = today === undefined ? null : previousMonth(today)
  const isLastMonth = 'from' in choice && choice.from === lastMonth?.from && choice.to === lastMonth.to
  const isCustom = 'from' in choice && !isLastMonth
  /** Null until the user opens or closes the form. */
  const [isOpenedByUser, setIsOpenedByUser] = useState<boolean | null>(null)
  const isOpen = isOpenedByUser ?? isCustom
  const formId = useId()
  return (
    <div>
      <fieldset aria-label="Range" className="inline-flex flex-wrap border border-rule">
        {RANGE_DAYS.map((days) => {
          const isChosen = 'days' in choice && choice.days === days
          return (
            <button
              key={days}
              type="button"
              aria-pressed={isChosen}
              className={segmentClass(isChosen)}
              onClick={() => {
                setIsOpenedByUser(false)
                onChange({ days })
              }}
            >
              {days} days
            </button>
          )
        })}
        <button
          type="button"
          aria-pressed={isLastMonth}
          aria-disabled={lastMonth === null}
          className={segmentClass(isLastMonth)}
          onClick={() => {
            if (!lastMonth) return
            setIsOpenedByUser(false)
            onChange(lastMonth)
          }}
        >
          Last month
        </button>
        <button
          type="button"
          aria-pressed={isCustom}
          aria-expanded={isOpen}
          aria-controls={formId}
          className={segmentClass(isCustom)}
          onClick={() => setIsOpenedByUser(!isOpen)}
        >
          Custom
        </button>
      </fieldset>
      <div id={formId}>{isOpen && <CustomRange key={JSON.stringify(choice)} {...{ choice, onChange, today }} />}</div>
    </div>
  )
}

const segmentClass = (isChosen: boolean) =>
  clsx(
    'min-h-11 px-4 text-sm font-medium',
    isChosen ? 'bg-sleeve-high text-gold-bright' : 'text-muted hover:text-ivory',
  )

function CustomRange({ choice, onChange, today }: Props) {
  const chosen = 'from' in choice ? choice : { from: '', to: today ?? '' }
  const [from, setFrom] = useState(chosen.from)
  const [to, setTo] = useState(chosen.to)
  const [errors, setErrors] = useState<RangeErrors>({})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = rangeErrors(from, to, today)
    setErrors(found)
    if (!found.from && !found.to) onChange({ from, to })
  }
  return (
    <form onSubmit={submit} noValidate className="mt-4 flex flex-wrap items-start gap-4">
      <TextField
        label="First day"
        type="date"
        required
        max={today}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        error={errors.from}
        className="w-44"
      />
      <TextField
        label="Last day"
        type="date"
        required
        max={today}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        error={errors.to}
        className="w-44"
      />
      <Button type="submit" className="mt-7">
        Show this period
      </Button>
    </form>
  )
}

type RangeErrors = { from?: string; to?: string }

/** The error of the field that makes the range invalid; empty if the range is valid. */
function rangeErrors(from: string, to: string, today: string | undefined): RangeErrors {
  if (!from) return { from: 'Choose a first day.' }
  if (!to) return { to: 'Choose a last day.' }
  if (to < from) return { from: 'Choose a first day that is not after the last.' }
  if (today && to > today) return { to: 'Choose a last day that is not after today.' }
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= MAX_RANGE_DAYS)
    return { from: `Choose at most ${MAX_RANGE_DAYS} days.` }
  return {}
}
