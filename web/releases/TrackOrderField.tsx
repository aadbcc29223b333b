import { clsx } from 'clsx'
import { Pencil, Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdminTrack } from '../../worker/contract/admin-content'
import { resizedImageUrl } from '../../worker/contract/images'
import { DragHandle, MoveButtons, useDragOrder } from '../admin/drag-order'
import { ScreenLink } from '../admin/ScreenLink'
import { formatCountOf, formatDuration } from '../lib/format'
import { moveItem } from '../lib/move-item'
import { Button, buttonClass } from '../ui/Button'
import { SelectField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type Props = {
  /** Track ids in playing order. */
  value: readonly number[]
  onChange: (trackIds: number[]) => void
  tracks: readonly AdminTrack[]
  onAddNew: () => void
  error?: string
}

/** The tracks of a release, ordered by dragging, by arrow keys or by buttons. */
export function TrackOrderField({ value, onChange, tracks, onAddNew, error }: Props) {
  const id = useId()
  const [selectedId, setSelectedId] = useState('')
  const releaseTracks = value.flatMap((trackId) => tracks.find((track) => track.id === String(trackId)) ?? [])
  const otherTracks = tracks.filter((track) => !value.includes(Number(track.id)))
  const totalSeconds = releaseTracks.reduce((sum, track) => sum + track.durationSeconds, 0)
  const { list, move, handleProps, rowClass, announcement, setAnnouncement } = useDragOrder(
    releaseTracks.map(({ title }) => title),
    (from, to) => onChange(moveItem(value, from, to)),
  )
  function add(trackId: string) {
    const track = tracks.find((other) => other.id === trackId)
    if (!track) return
    onChange([...value, Number(trackId)])
    setSelectedId('')
    setAnnouncement(`${track.title} is track ${value.length + 1}.`)
  }
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Tracks</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {releaseTracks.length === 0
          ? 'No tracks yet.'
          : `${formatCountOf(releaseTracks.length, 'track')}, ${formatDuration(totalSeconds)}. Drag the handle or press the up and down arrows on it to change the order.`}
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} className="mt-3 border-y border-rule empty:hidden">
        {releaseTracks.map((track, index) => (
          <li
            key={track.id}
            className={clsx('flex flex-wrap items-center gap-x-3 border-y-2 bg-background py-1', rowClass(index))}
          >
            <DragHandle name={track.title} hintId={`${id}-hint`} {...handleProps(index)} />
            <span className="tabular-figures w-6 text-right font-display text-muted">{index + 1}</span>
            {track.coverUrl && (
              <img
                src={resizedImageUrl(track.coverUrl, 160)}
                alt=""
                width={44}
                height={44}
                className="size-11 object-cover"
              />
            )}
            <span className="min-w-32 flex-1">
              <span className="wrap-anywhere">{track.title}</span>
              <span className="tabular-figures block text-sm text-muted">
                {[
                  formatDuration(track.durationSeconds),
                  track.isExclusive && 'Silver and Gold',
                  !track.audio && 'no recording',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="ml-auto flex">
              <MoveButtons name={track.title} index={index} count={releaseTracks.length} move={move} />
              <ScreenLink
                screen="track"
                params={{ id: track.id }}
                aria-label={`Edit ${track.title}`}
                className={buttonClass('text')}
              >
                <Pencil size={18} aria-hidden />
              </ScreenLink>
              <Button
                variant="text"
                aria-label={`Remove ${track.title} from the release`}
                onClick={() => {
                  onChange(value.filter((trackId) => String(trackId) !== track.id))
                  setAnnouncement(`${track.title} was removed from the release.`)
                }}
              >
                <X size={18} aria-hidden />
              </Button>
            </span>
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap items-end gap-4">
        {otherTracks.length > 0 && (
          <>
            <SelectField
              label="Existing track"
              className="min-w-0 flex-1 sm:max-w-xs"
              value={selectedId}
              options={[
                { value: '', label: 'Choose a track' },
                ...otherTracks.map((track) => ({ value: track.id, label: track.title })),
              ]}
              onChange={(event) => setSelectedId(event.target.value)}
            />
            <Button disabled={selectedId === ''} onClick={() => add(selectedId)}>
              Add
            </Button>
          </>
        )}
        <Button onClick={onAddNew}>
          <Plus size={18} aria-hidden />
          Add a new track
        </Button>
      </div>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}
