import { clsx } from 'clsx'
import { Star } from 'lucide-react'
import type { VerseSubmission } from '../../worker/contract/admin-challenge'
import { formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'
import { RATINGS, useRateVerse } from './verse-ratings.queries'

/** The team's average rating and each team member's rating. */
export function AverageRating({ verse: { averageRating, ratings } }: { verse: VerseSubmission }) {
  if (averageRating === null) return <p className="text-muted">No one on the team has rated this verse yet.</p>
  return (
    <div>
      <p>
        <Star size={18} aria-hidden className="-mt-1 mr-1.5 inline fill-gold text-gold" />
        <strong className="tabular-figures font-semibold">{averageRating}</strong>{' '}
        <span className="text-muted">of 5, the average of {formatCountOf(ratings.length, 'rating')}</span>
      </p>
      <ul aria-label="Ratings by member" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
        {ratings.map(({ by, rating }) => (
          <li key={by}>
            <span className="wrap-anywhere">{by}</span>: <span className="tabular-figures text-ivory">{rating}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The caller's rating of a verse, from 1 to 5. */
export function VerseRating({ verse }: { verse: VerseSubmission }) {
  const rate = useRateVerse()
  // Optimistic: shows a rating while it is being saved.
  const myRating = rate.isPending && rate.variables?.id === verse.id ? rate.variables.rating : verse.myRating
  const send = (rating: number | null) => rate.mutate({ id: verse.id, rating }, { onError: toastError('Not rated') })
  return (
    <fieldset>
      <legend className="mb-2 font-label">{myRating === null ? 'Rate this verse' : 'Your rating'}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {RATINGS.map((rating) => (
          <button
            key={rating}
            type="button"
            data-rate={rating}
            aria-pressed={myRating === rating}
            aria-label={`${rating} of 5`}
            onClick={() => send(rating)}
            className={clsx(
              'tabular-figures grid size-12 place-items-center rounded-xs border font-label transition duration-200 ease-out',
              myRating !== null && rating <= myRating
                ? 'border-gold bg-gold text-background'
                : 'border-rule-strong text-ivory hover:border-gold hover:text-gold-bright',
            )}
          >
            {rating}
          </button>
        ))}
        {myRating !== null && (
          <Button variant="text" onClick={() => send(null)}>
            Remove my rating
          </Button>
        )}
      </div>
    </fieldset>
  )
}
