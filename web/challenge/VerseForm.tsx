import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { type PublicChallenge, VERSE_LIMITS, VERSE_TERMS, VerseDraft } from '../../worker/contract/challenge'
import { ApiError, errorMessage } from '../api/call'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { AudioField } from '../uploads/AudioField'
import { useSendVerse } from './challenge.queries'
import { uploadVerse } from './upload-verse'
import { VerseTerms } from './VerseTerms'

type Props = {
  challenge: PublicChallenge
  /** The account's own address; empty for a visitor. */
  email: string
  /** Told the address that the confirmation goes to. */
  onSent: (email: string) => void
}

/** What a verse is sent with. Whatever goes wrong, everything stays as it was typed. */
export function VerseForm({ challenge, email, onSent }: Props) {
  const form = useSchemaForm(VerseDraft, { name: '', email, phoneNumber: '', recording: '' })
  const send = useSendVerse(challenge.id)
  const [isUploading, setIsUploading] = useState(false)
  const { errors, isSubmitting } = form.formState
  const isBusy = isSubmitting || isUploading
  const submit = form.handleSubmit(async (draft) => {
    try {
      await send.mutateAsync(draft)
      onSent(draft.email)
    } catch (error) {
      const words = errorMessage(error as Error)
      const field = errorField(error, words)
      form.setError(field, { message: words })
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
        Your name is public if you are named a finalist. Address and number are for the team alone, to reach you.
      </p>
      <TextField
        label="Name"
        autoComplete="nickname"
        maxLength={VERSE_LIMITS.name}
        required
        hint="As it should stand among the finalists."
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
        hint="A mail confirms your verse."
        error={errors.email?.message}
        {...form.register('email')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={VERSE_LIMITS.phone}
        required
        hint="We call the finalists."
        error={errors.phoneNumber?.message}
        {...form.register('phoneNumber')}
      />
      <Controller
        control={form.control}
        name="recording"
        render={({ field }) => (
          <AudioField
            label="Recording"
            emptyText="Your verse, in one file."
            upload={uploadVerse}
            value={field.value || null}
            onChange={(recording) =>
              form.setValue('recording', recording ?? '', { shouldValidate: recording !== null })
            }
            error={errors.recording?.message}
            onBusy={setIsUploading}
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
      {errors.root && (
        <p role="alert" className="text-sunset sm:col-span-2">
          {errors.root.message}
        </p>
      )}
      <Button
        type="submit"
        variant="foil"
        aria-disabled={isBusy}
        className="min-h-14 sm:col-span-2 sm:justify-self-start sm:px-10"
      >
        {isSubmitting ? 'Sending' : isUploading ? 'Sending the recording' : 'Send my verse'}
      </Button>
    </form>
  )
}

/** Which field a refusal is about. */
function errorField(error: unknown, words: string): 'phoneNumber' | 'recording' | 'email' | 'root' {
  if (!(error instanceof ApiError) || error.code !== 'bad_input') return 'root'
  if (/phone/i.test(words)) return 'phoneNumber'
  return /recording/i.test(words) ? 'recording' : 'root'
}
