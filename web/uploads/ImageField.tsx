import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Crop, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { resizedImageUrl } from '../../worker/contract/images'
import { moveItem } from '../lib/move-item'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { FilePicker, UploadProgress } from './FilePicker'
import { ImageCropper } from './ImageCropper'
import { CENTERED_CROP, type CropFrame, IMAGE_CROPS, type ImageCropName } from './image-crop'
import { IMAGE_TYPES, uploadImage } from './upload-image'
import { useUpload } from './useUpload'

type ChosenFile = { file: File; frame: CropFrame }

/** Files chosen in this visit, by the URL of their upload, so that their crop can still be changed. */
const chosenFiles = new Map<string, ChosenFile>()

type Props = {
  label: string
  /** URL of the uploaded image; empty without one. */
  value: string
  onChange: (url: string) => void
  cropName: ImageCropName
  hint?: ReactNode
  error?: string
  /** Called when an upload starts and ends, to block saving. */
  onUploadingChange?: (isUploading: boolean) => void
  className?: string
}

/** An image that can be replaced by choosing or dropping a file, which is cropped before its upload. */
export function ImageField({ label, value, onChange, cropName, hint, error, onUploadingChange, className }: Props) {
  const id = useId()
  const [isDragOver, setIsDragOver] = useState(false)
  const crop = IMAGE_CROPS[cropName]
  const [isCropping, setIsCropping] = useState(false)
  const { progress, uploadError, start, stop } = useUpload(
    ({ file, frame }: ChosenFile, options: UploadOptions) => uploadImage(file, { crop, frame, ...options }),
    {
      onUploaded: ({ url }, chosen) => {
        chosenFiles.set(url, chosen)
        onChange(url)
      },
      onUploadingChange,
    },
  )
  const upload = (file: File, frame = CENTERED_CROP) => {
    setIsCropping(false)
    void start({ file, frame })
  }
  const source = progress === null ? chosenFiles.get(value) : undefined
  const errorText = progress === null ? (uploadError ?? error) : undefined
  const idleBorder = errorText ? 'border-sunset' : 'border-rule'
  return (
    <fieldset className={clsx('min-w-0', className)} aria-describedby={errorText ? `${id}-error` : undefined}>
      <legend className="font-label text-muted">{label}</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button within. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragOver(true)
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsDragOver(false)
          const [file] = event.dataTransfer.files
          if (file) upload(file)
        }}
        className={clsx(
          'mt-2 flex items-center gap-5 border p-4 max-sm:flex-col max-sm:items-start',
          isDragOver ? 'border-gold bg-sleeve-high' : idleBorder,
        )}
      >
        <div
          className="flex h-28 shrink-0 items-center justify-center bg-sleeve-high"
          style={{ aspectRatio: `${crop.width} / ${crop.height}`, maxWidth: '11rem' }}
        >
          {value ? (
            <img
              src={resizedImageUrl(value, 320)}
              alt=""
              width={320}
              height={Math.round((320 * crop.height) / crop.width)}
              className="size-full object-cover"
            />
          ) : (
            <span className="text-xs text-muted">None yet</span>
          )}
        </div>
        <div className="min-w-0 flex-1 max-sm:w-full">
          {progress === null ? (
            <span className="flex flex-wrap gap-3">
              <FilePicker label={`${label}: choose a picture`} accept={IMAGE_TYPES} onPick={(file) => upload(file)}>
                {value ? 'Replace' : 'Choose a picture'}
              </FilePicker>
              {source && (
                <Button aria-label={`${label}: change the crop`} onClick={() => setIsCropping(!isCropping)}>
                  <Crop size={18} aria-hidden />
                  Crop
                </Button>
              )}
            </span>
          ) : (
            <UploadProgress label={label} progress={progress} onStop={stop} />
          )}
          <p className="mt-3 text-sm text-muted">
            {hint ??
              `Cropped to ${crop.width} by ${crop.height} pixels around the center; you can change that afterwards.`}
          </p>
        </div>
      </div>
      {isCropping && source && (
        <div className="border border-t-0 border-rule p-4">
          <ImageCropper
            label={label}
            file={source.file}
            crop={crop}
            frame={source.frame}
            onUse={(frame) => upload(source.file, frame)}
            onCancel={() => setIsCropping(false)}
          />
        </div>
      )}
      {errorText && <GroupError id={`${id}-error`}>{errorText}</GroupError>}
    </fieldset>
  )
}

type UploadOptions = { onProgress: (progress: number) => void; signal: AbortSignal }

type ImageValue = { url: string; alt: string }
type ImagesFieldProps = {
  label: string
  value: readonly ImageValue[]
  onChange: (images: ImageValue[]) => void
  cropName: ImageCropName
  max: number
  /** Errors of the images, by index. */
  errors?: readonly ({ url?: { message?: string }; alt?: { message?: string } } | undefined)[]
  onUploadingChange?: (isUploading: boolean) => void
}

/** An ordered list of images with alternative texts; the first one is the main image. */
export function ImagesField({ label, value, onChange, cropName, max, errors, onUploadingChange }: ImagesFieldProps) {
  const update = (index: number, changes: Partial<ImageValue>) =>
    onChange(value.map((image, i) => (i === index ? { ...image, ...changes } : image)))
  const move = (index: number, by: number) => onChange(moveItem(value, index, index + by))
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">{label}</legend>
      <ol className="grid gap-6">
        {value.map((image, index) => (
          <li key={image.url || index} className="border-l-2 border-rule pl-4">
            <ImageField
              label={`Picture ${index + 1}`}
              value={image.url}
              onChange={(url) => update(index, { url })}
              cropName={cropName}
              error={errors?.[index]?.url?.message}
              onUploadingChange={onUploadingChange}
            />
            <TextField
              label="Picture description"
              className="mt-4"
              required
              value={image.alt}
              error={errors?.[index]?.alt?.message}
              onChange={(event) => update(index, { alt: event.target.value })}
            />
            <div className="mt-2 -ml-3 flex flex-wrap">
              {index > 0 && (
                <Button variant="text" aria-label={`Picture ${index + 1}: earlier`} onClick={() => move(index, -1)}>
                  <ArrowUp size={18} aria-hidden />
                  Earlier
                </Button>
              )}
              {index < value.length - 1 && (
                <Button variant="text" aria-label={`Picture ${index + 1}: later`} onClick={() => move(index, 1)}>
                  <ArrowDown size={18} aria-hidden />
                  Later
                </Button>
              )}
              <Button
                variant="text"
                aria-label={`Picture ${index + 1}: remove`}
                onClick={() => onChange(value.filter((_, i) => i !== index))}
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
