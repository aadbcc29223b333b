import { useId } from 'react'
import { VERSE_TERMS } from '../../worker/contract/challenge'

type Props = { isAccepted: boolean; onAccept: (yes: boolean) => void; error?: string }

/** What a sender agrees to, in full, beside the box. */
export function VerseTerms({ isAccepted, onAccept, error }: Props) {
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
