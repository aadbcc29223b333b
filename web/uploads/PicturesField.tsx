import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { Button } from '../ui/Button'
import { TextField } from '../ui/TextField'
import { PictureField } from './PictureField'
import type { ShapeName } from './shapes'

type Shown = { url: string; alt: string }
type Props = {
  label: string
  value: readonly Shown[]
  onChange: (pictures: Shown[]) => void
  shape: ShapeName
  /** How many there may be. */
  most: number
  /** What is wrong with one of them, by its place. */
  errors?: readonly ({ url?: { message?: string }; alt?: { message?: string } } | undefined)[]
  onBusy?: (busy: boolean) => void
}

/** Several pictures in an order, each with its words: the first one stands for all. */
export function PicturesField({ label, value, onChange, shape, most, errors, onBusy }: Props) {
  const put = (place: number, one: Partial<Shown>) =>
    onChange(value.map((picture, i) => (i === place ? { ...picture, ...one } : picture)))
  const move = (place: number, by: number) => {
    const next = [...value]
    const [moved] = next.splice(place, 1)
    if (moved) next.splice(place + by, 0, moved)
    onChange(next)
  }
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">{label}</legend>
      <ol className="grid gap-6">
        {value.map((picture, place) => (
          <li key={picture.url || place} className="border-l-2 border-rule pl-4">
            <PictureField
              label={`Picture ${place + 1}`}
              value={picture.url}
              onChange={(url) => put(place, { url })}
              shape={shape}
              error={errors?.[place]?.url?.message}
              onBusy={onBusy}
            />
            <TextField
              label="What it shows"
              className="mt-4"
              required
              value={picture.alt}
              error={errors?.[place]?.alt?.message}
              onChange={(event) => put(place, { alt: event.target.value })}
            />
            <div className="mt-2 -ml-3 flex flex-wrap">
              {place > 0 && (
                <Button look="quiet" aria-label={`Picture ${place + 1}: earlier`} onClick={() => move(place, -1)}>
                  <ArrowUp size={18} aria-hidden />
                  Earlier
                </Button>
              )}
              {place < value.length - 1 && (
                <Button look="quiet" aria-label={`Picture ${place + 1}: later`} onClick={() => move(place, 1)}>
                  <ArrowDown size={18} aria-hidden />
                  Later
                </Button>
              )}
              <Button
                look="quiet"
                aria-label={`Picture ${place + 1}: remove`}
                onClick={() => onChange(value.filter((_, i) => i !== place))}
              >
                <Trash2 size={18} aria-hidden />
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {value.length < most && (
        <Button className="mt-4" onClick={() => onChange([...value, { url: '', alt: '' }])}>
          Add a picture
        </Button>
      )}
    </fieldset>
  )
}
