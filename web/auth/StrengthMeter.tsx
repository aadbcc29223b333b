import '../styles/auth.css'
import { STRENGTH_LABEL, strengthOf } from './strength'

/** Four bars and a word: how the password reads to somebody who guesses. */
export function StrengthMeter({ password }: { password: string }) {
  const strength = strengthOf(password)
  return (
    <>
      <div className="strength" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-lit={bar <= strength || undefined} />
        ))}
      </div>
      <p className="mt-2 flex justify-between gap-4">
        <span>Three or four words you remember are best.</span>
        <span aria-live="polite" className="shrink-0 text-ivory">
          {password !== '' && STRENGTH_LABEL[strength]}
        </span>
      </p>
    </>
  )
}
