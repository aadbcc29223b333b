import { useState } from 'react'
import { utcToZonedTime, zonedTimeToUtc } from '../../worker/contract/zoned-time'
import { formatZonedDateTime } from '../lib/format'
import { useNow } from '../lib/useNow'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

const UPDATE_INTERVAL_MS = 60_000

type Props = {
  /** ISO 8601; empty until date and time are complete. */
  value: string
  onChange: (releasedAt: string) => void
  /** IANA zone of the artist. */
  timeZone: string
  /** Whether the release has a countdown page. */
  isAnnounced: boolean
  error?: string
}

/** Date and time of a release, in the artist's time zone. */
export function ReleaseTimeField({ value, onChange, timeZone, isAnnounced, error }: Props) {
  const [local, setLocal] = useState(() =>
    value ? utcToZonedTime(Date.parse(value), timeZone) : { date: '', time: '' },
  )
  // `useNow` may be up to a minute old, and the button may just have set a later time.
  const now = Math.max(useNow(UPDATE_INTERVAL_MS), Date.now())
  const update = (changes: Partial<typeof local>) => {
    const next = { ...local, ...changes }
    setLocal(next)
    const isComplete = next.date !== '' && next.time !== ''
    onChange(isComplete ? new Date(zonedTimeToUtc(next.date, next.time, timeZone)).toISOString() : '')
  }
  const setNow = () => {
    setLocal(utcToZonedTime(Date.now(), timeZone))
    onChange(new Date().toISOString())
  }
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Release time</legend>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <TextField
          label="Date"
          type="date"
          required
          className="w-44"
          value={local.date}
          onChange={(event) => update({ date: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          required
          className="w-36"
          value={local.time}
          onChange={(event) => update({ time: event.target.value })}
        />
        <Button onClick={setNow}>Now</Button>
      </div>
      {error ? (
        <GroupError>{error}</GroupError>
      ) : (
        <p role="status" className="mt-2 text-sm text-muted">
          {releaseTimeText(value, { now, timeZone, isAnnounced })}
        </p>
      )}
    </fieldset>
  )
}

type Context = { now: number; timeZone: string; isAnnounced: boolean }

function releaseTimeText(value: string, { now, timeZone, isAnnounced }: Context): string {
  const zoneText = `Times are in ${timeZone}.`
  if (value === '') return zoneText
  const timeText = formatZonedDateTime(value, timeZone)
  if (Date.parse(value) <= now) return `Out since ${timeText}. ${zoneText}`
  const pageText = isAnnounced ? 'Its page counts down until then.' : 'No one sees it before then.'
  return `Scheduled for ${timeText}. ${pageText} ${zoneText}`
}
