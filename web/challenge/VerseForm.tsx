import { useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import { challengeApi, type PublicChallenge } from '../../worker/contract/challenge'
import { VERSE_LIMITS, VERSE_TERMS } from '../../worker/contract/draft-rules'
import { errorMessage, hasCode } from '../api/call'
import { sendFile } from '../api/send-file'
import { useSchemaForm } from '../lib/useSchemaForm'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { AudioField } from '../uploads/AudioField'
import { readAudioFile } from '../uploads/upload-audio'
import { useSubmitVerse } from './challenge.queries'

const loadVerseSchema = () => import('../../worker/contract/drafts').then(({ VerseDraft }) => VerseDraft)

type Props = {
  challenge: PublicChallenge
  /** Email address of the account; empty for a visitor. */
  email: string
  /** Called with the address that receives the confirmation. */
  onSent: (email: string) => void
}

/** The submission form. After an error its input remains, except a rejected file. */
export function VerseForm({ challenge, email, onSent }: Props) {
  const form = useSchemaForm(loadVerseSchema, { name: '', email, phoneNumber: '', recording: '' })
  const turnstile = useTurnstile('verse')
  const submitVerse = useSubmitVerse(challenge.id, turnstile)
  const [isUploading, setIsUploading] = useState(false)
  const { errors, isSubmitting } = form.formState
  const isBusy = isSubmitting || isUploading
  const submitLabel = isUploading ? 'Sending the recording' : 'Send my verse'
  const submit = form.handleSubmit(async (draft) => {
    try {
      await submitVerse.mutateAsync(draft)
      onSent(draft.email)
    } catch (error) {
      const message = errorMessage(error as Error)
      const field = errorField(error, message)
      form.setError(field, { message })
      if (field === 'recording') form.setValue('recording', '')
      else if (field !== 'root') form.setFocus(field)
    }
  })
  return (
    <form
      noValidate
      method="post"
      aria-label="Your verse"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit(event)
      }}
      className="challenge-form"
    >
      <p className="text-muted sm:col-span-2">
        Your stage name is public only if you become a finalist. The team uses your email and phone number to reach you.
      </p>
      <TextField
        label="Name"
        autoComplete="nickname"
        maxLength={VERSE_LIMITS.name}
        required
        hint="This is how it appears if you become a finalist."
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={VERSE_LIMITS.email}
        required
        hint="We will send a confirmation email."
        error={errors.email?.message}
        {...form.register('email')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={VERSE_LIMITS.phone}
        required
        hint="We call finalists."
        error={errors.phoneNumber?.message}
        {...form.register('phoneNumber')}
      />
      <Controller
        control={form.control}
        name="recording"
        render={({ field }) => (
          <AudioField
            label="Recording"
            emptyText="One audio file."
            upload={uploadVerse}
            value={field.value || null}
            onChange={(recording) =>
              form.setValue('recording', recording ?? '', { shouldValidate: recording !== null })
            }
            error={errors.recording?.message}
            onUploadingChange={setIsUploading}
          />
        )}
      />
      <VerseTerms
        isAccepted={form.watch('terms') === VERSE_TERMS.version}
        onAccept={(isAccepted) =>
          form.setValue('terms', (isAccepted ? VERSE_TERMS.version : '') as typeof VERSE_TERMS.version, {
            shouldValidate: true,
          })
        }
        error={errors.terms?.message}
      />
      {turnstile.widget && <div className="sm:col-span-2">{turnstile.widget}</div>}
      <FormError className="sm:col-span-2">{errors.root?.message}</FormError>
      <Button
        type="submit"
        variant="primary"
        aria-disabled={isBusy}
        className="min-h-14 sm:col-span-2 sm:justify-self-start sm:px-10"
      >
        {isSubmitting ? 'Sending' : submitLabel}
      </Button>
    </form>
  )
}

/** The field that an error message is about; 'root' shows it above the button. */
function errorField(error: unknown, message: string): 'phoneNumber' | 'recording' | 'root' {
  if (!hasCode(error, 'bad_input')) return 'root'
  if (/phone/i.test(message)) return 'phoneNumber'
  return /recording/i.test(message) ? 'recording' : 'root'
}

type Options = { onProgress: (fraction: number) => void; signal: AbortSignal }

/** Uploads the audio file and returns its id for the submission. The duration is not needed. */
async function uploadVerse(file: File, options: Options): Promise<{ audio: string; seconds: null }> {
  const { recording } = await sendFile(challengeApi.uploadRecording, {}, await readAudioFile(file), options)
  return { audio: recording, seconds: null }
}

type VerseTermsProps = { isAccepted: boolean; onAccept: (isAccepted: boolean) => void; error?: string }

function VerseTerms({ isAccepted, onAccept, error }: VerseTermsProps) {
  const id = useId()
  return (
    <fieldset className="sm:col-span-2">
      <legend className="font-label text-muted">Terms</legend>
      <ul id={`${id}-terms`} className="mt-3 grid max-w-prose list-disc gap-2 pl-5 text-sm">
        {VERSE_TERMS.text.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <label className="mt-3 flex min-h-12 cursor-pointer items-center gap-4 font-semibold">
        <input
          type="checkbox"
          required
          checked={isAccepted}
          onChange={(event) => onAccept(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-terms ${id}-error` : `${id}-terms`}
          className="size-5 shrink-0 accent-gold"
        />
        I accept these terms and the rules
      </label>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-sunset">
          {error}
        </p>
      )}
    </fieldset>
  )
}
