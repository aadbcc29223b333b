import { useState } from 'react'
import { utcToZonedTime, zonedTimeToUtc } from '../../worker/contract/zoned-time'
import { TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type Props = {
  label: string
  /** ISO 8601; null for no limit. */
  value: string | null
  onChange: (value: string | null) => void
  /** IANA zone of the artist. */
  timeZone: string
  error?: string
}

/** An optional date and time in the artist's time zone. A date without a time means midnight. */
export function DiscountTimeField({ label, value, onChange, timeZone, error }: Props) {
  const [local, setLocal] = useState(() =>
    value ? utcToZonedTime(Date.parse(value), timeZone) : { date: '', time: '' },
  )
  const update = (changes: Partial<typeof local>) => {
    const next = { ...local, ...changes }
    setLocal(next)
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
          value={local.date}
          onChange={(event) => update({ date: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          value={local.time}
          onChange={(event) => update({ time: event.target.value })}
        />
      </div>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}
