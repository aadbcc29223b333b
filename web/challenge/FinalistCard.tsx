import { Check } from 'lucide-react'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { Button } from '../ui/Button'
import { VersePlayer } from './VersePlayer'

type Props = {
  finalist: PublicChallenge['finalists'][number]
  /** From 1, in the artist's order. */
  position: number
  /** The reader has voted for this one. */
  isMyVote: boolean
  /** Undefined while there is nothing to choose. */
  onVote?: () => void
}

/** A finalist: number, name, recording, and the way to vote. */
export function FinalistCard({ finalist: { name, audioUrl }, position, isMyVote, onVote }: Props) {
  return (
    <li className="finalist" data-own={isMyVote || undefined}>
      <span aria-hidden="true" className="figures finalist-place font-display">
        {String(position).padStart(2, '0')}
      </span>
      <div className="min-w-0">
        <h3 className="font-display text-xl wrap-anywhere">{name}</h3>
        {isMyVote && (
          <p className="mt-1 flex items-center gap-2 text-sm text-gold-bright">
            <Check size={18} aria-hidden />
            Your vote
          </p>
        )}
      </div>
      {onVote && (
        <Button variant="foil" className="finalist-vote" aria-label={`Vote for ${name}`} onClick={onVote}>
          Vote
        </Button>
      )}
      {audioUrl ? (
        <VersePlayer src={audioUrl} name={name} />
      ) : (
        <p className="verse-player text-sm text-muted">There is no recording to play here.</p>
      )}
    </li>
  )
}
