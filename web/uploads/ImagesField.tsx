import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { ImageField } from './ImageField'
import type { ImageCropName } from './image-crops'

type ImageValue = { url: string; alt: string }
type Props = {
  label: string
  value: readonly ImageValue[]
  onChange: (pictures: ImageValue[]) => void
  cropName: ImageCropName
  /** How many there may be. */
  max: number
  /** What is wrong with one of them, by its place. */
  errors?: readonly ({ url?: { message?: string }; alt?: { message?: string } } | undefined)[]
  onBusy?: (busy: boolean) => void
}

/** Several pictures in an order, each with its words: the first one stands for all. */
export function ImagesField({ label, value, onChange, cropName, max, errors, onBusy }: Props) {
  const update = (place: number, changes: Partial<ImageValue>) =>
    onChange(value.map((image, i) => (i === place ? { ...image, ...changes } : image)))
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
        {value.map((image, place) => (
          <li key={image.url || place} className="border-l-2 border-rule pl-4">
            <ImageField
              label={`Picture ${place + 1}`}
              value={image.url}
              onChange={(url) => update(place, { url })}
              cropName={cropName}
              error={errors?.[place]?.url?.message}
              onBusy={onBusy}
            />
            <TextField
              label="What it shows"
              className="mt-4"
              required
              value={image.alt}
              error={errors?.[place]?.alt?.message}
              onChange={(event) => update(place, { alt: event.target.value })}
            />
            <div className="mt-2 -ml-3 flex flex-wrap">
              {place > 0 && (
                <Button variant="quiet" aria-label={`Picture ${place + 1}: earlier`} onClick={() => move(place, -1)}>
                  <ArrowUp size={18} aria-hidden />
                  Earlier
                </Button>
              )}
              {place < value.length - 1 && (
                <Button variant="quiet" aria-label={`Picture ${place + 1}: later`} onClick={() => move(place, 1)}>
                  <ArrowDown size={18} aria-hidden />
                  Later
                </Button>
              )}
              <Button
                variant="quiet"
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
      {value.length < max && (
        <Button className="mt-4" onClick={() => onChange([...value, { url: '', alt: '' }])}>
          Add a picture
        </Button>
      )}
    </fieldset>
  )
}
