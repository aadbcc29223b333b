import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { AUDIO_TYPES } from '../../worker/contract/uploads'
import { Button } from '../ui/Button'
import { GroupError } from '../ui/FormError'
import { FilePicker, UploadProgress } from './FilePicker'
import { uploadAudio } from './upload-audio'
import { useUpload } from './useUpload'

type Props = {
  label: string
  /** The `audio` that the upload returned; null without an audio file. */
  value: string | null
  onChange: (audio: string | null) => void
  /** Called with the duration of the uploaded file in whole seconds. */
  onDuration?: (seconds: number) => void
  error?: string
  /** Shown without an audio file. */
  emptyText?: string
  /** The upload function; by default that of the dashboard. */
  upload?: typeof uploadAudio
  onUploadingChange?: (isUploading: boolean) => void
  pickerId?: string
}

/** An audio file that is uploaded when it is chosen, and can be replaced or removed. */
export function AudioField({
  label,
  value,
  onChange,
  onDuration,
  error,
  emptyText,
  upload = uploadAudio,
  onUploadingChange,
  pickerId,
}: Props) {
  const id = useId()
  const [name, setName] = useState<string>()
  const { progress, uploadError, start, stop } = useUpload(upload, {
    onUploadingChange,
    onUploaded: ({ audio, seconds }, file) => {
      onChange(audio)
      setName(file.name)
      if (seconds !== null) onDuration?.(seconds)
    },
  })
  const errorText = uploadError ?? error
  return (
    <fieldset className="sm:col-span-2" aria-describedby={errorText ? `${id}-error` : undefined}>
      <legend className="font-label text-muted">{label}</legend>
      <div className={clsx('mt-2 border p-4', errorText ? 'border-sunset' : 'border-rule')}>
        {progress === null ? (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <FilePicker
              id={pickerId}
              label={`${label}: choose a recording`}
              accept={Object.keys(AUDIO_TYPES).join(',')}
              onPick={(file) => void start(file)}
            >
              {value ? 'Replace' : 'Choose a recording'}
            </FilePicker>
            {value && (
              <Button variant="text" className="px-0!" onClick={() => onChange(null)}>
                Remove the recording
              </Button>
            )}
            <span role="status" className="min-w-0 break-words">
              {value
                ? (name ?? 'A recording is uploaded.')
                : (emptyText ?? 'No recording yet. The track only plays on streaming services.')}
            </span>
          </div>
        ) : (
          <UploadProgress label={label} progress={progress} onStop={stop} />
        )}
        <p className="mt-3 text-sm text-muted">MP3, M4A (AAC), Ogg, WebM, WAV or FLAC, up to 50 MB.</p>
      </div>
      {errorText && <GroupError id={`${id}-error`}>{errorText}</GroupError>}
    </fieldset>
  )
}
