import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type AdminChallenge, adminChallengeApi, type VerseSubmission } from '../../worker/contract/admin-challenge'
import { fillPath } from '../api/call'
import { formatDateTime } from '../lib/format'
import { EntrantContact } from './EntrantContact'
import { FinalistControls } from './FinalistControls'
import { VersePlayer } from './VersePlayer'
import { AverageRating, VerseRating } from './VerseRating'

type Props = {
  verse: VerseSubmission
  challenge: AdminChallenge
  /** A finalist's stage name; by default the entrant's name. */
  title?: string
  /** Whether the card is one of several side by side. */
  isColumn?: boolean
  onPicked?: () => void
  /** Below the controls: shortlist and note. */
  children?: ReactNode
}

/** A verse: its entrant, player, ratings and finalist controls. */
export function VerseCard({ verse, challenge, title = verse.name, isColumn = false, onPicked, children }: Props) {
  const Heading = isColumn ? 'h3' : 'h2'
  return (
    <>
      <header className="min-w-0">
        <Heading className={clsx('font-display wrap-anywhere', isColumn ? 'text-xl' : 'text-2xl')}>{title}</Heading>
        <p className="mt-2 text-sm text-muted wrap-anywhere">
          {verse.name !== title && `${verse.name} · `}
          {verse.email} · <span className="tabular-figures">{verse.phoneNumber}</span> · sent{' '}
          <span className="tabular-figures">{formatDateTime(verse.submittedAt)}</span>
        </p>
        <EntrantContact submissionId={verse.id} label={title} />
      </header>
      {verse.hasRecording ? (
        <VersePlayer src={fillPath(adminChallengeApi.verseAudio.path, { id: verse.id })} name={title} />
      ) : (
        <p className="text-muted">This verse has no recording.</p>
      )}
      <div className={clsx('grid gap-x-8 gap-y-6', !isColumn && 'md:grid-cols-2')}>
        <VerseRating verse={verse} />
        <AverageRating verse={verse} />
      </div>
      <FinalistControls verse={verse} challenge={challenge} onPicked={onPicked} />
      {children}
    </>
  )
}
