import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { type DeskChallenge, FinalistDraft } from '../../worker/contract/challenge-desk'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldOf } from '../admin/RecordField'
import { RowActions } from '../admin/RowActions'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { useNameFinalists } from './desk.queries'
import { isTold, PUBLIC_AT_ONCE } from './desk-words'
import { SenderOf } from './SenderOf'
import { TakeOffFinalist } from './TakeOffFinalist'
import { VersePlayer } from './VersePlayer'

const fields: readonly FieldOf<FinalistDraft>[] = [
  { name: 'name', label: 'Stage name', wide: true, hint: 'As it stands on the page and in the tally.' },
]

/** The finalists in their order; until voting opens they can be named anew, moved and taken off. */
export function FinalistsDesk({ challenge }: { challenge: DeskChallenge }) {
  const [open, setOpen] = useState<number | 'new' | null>(null)
  const save = useNameFinalists(challenge)
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const [leaving, setLeaving] = useState<number | null>(null)
  const isOpen = ['announced', 'submissions', 'finalists'].includes(challenge.state)
  const put = (finalists: FinalistDraft[]) =>
    !save.isPending &&
    save.mutate(finalists, {
      onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }),
    })
  const takeOff = (place: number) => {
    put(drafts.filter((_, at) => at !== place))
    setLeaving(null)
  }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-prose text-sm text-muted">
          {isOpen
            ? isTold(challenge)
              ? PUBLIC_AT_ONCE
              : 'Pick them among the verses, by listening. The public meets them in this order from their day on.'
            : 'Voting has begun: names and order stay as they are.'}
        </p>
        {isOpen && <Button onClick={() => setOpen('new')}>Add one without a verse</Button>}
      </div>
      {drafts.length === 0 ? (
        <p className="border border-dashed border-rule-strong p-6 text-muted">No finalist is named yet.</p>
      ) : (
        <ol className="finalists">
          {drafts.map((finalist, at) => (
            <li key={finalist.submissionId ?? finalist.name} className="finalist">
              <span className="figures finalist-place font-display">{String(at + 1).padStart(2, '0')}</span>
              <h3 className="font-display text-xl wrap-anywhere">{finalist.name}</h3>
              {isOpen && (
                <div className="flex flex-wrap justify-end max-sm:col-span-full max-sm:justify-start">
                  <Button
                    look="quiet"
                    disabled={at === 0}
                    aria-label={`${finalist.name}: earlier`}
                    onClick={() => put(swapped(drafts, at, at - 1))}
                  >
                    <ArrowUp size={18} aria-hidden />
                  </Button>
                  <Button
                    look="quiet"
                    disabled={at === drafts.length - 1}
                    aria-label={`${finalist.name}: later`}
                    onClick={() => put(swapped(drafts, at, at + 1))}
                  >
                    <ArrowDown size={18} aria-hidden />
                  </Button>
                  <RowActions
                    name={finalist.name}
                    onEdit={() => setOpen(at)}
                    onDelete={() => (isTold(challenge) ? setLeaving(at) : takeOff(at))}
                  />
                </div>
              )}
              {finalist.submissionId ? (
                <>
                  <VersePlayer src={`/api/verse-submissions/${finalist.submissionId}/audio`} name={finalist.name} />
                  <div className="verse-sender">
                    <SenderOf submissionId={finalist.submissionId} name={finalist.name} />
                  </div>
                </>
              ) : (
                <p className="verse-player text-sm text-muted">No verse was sent here for this one.</p>
              )}
            </li>
          ))}
        </ol>
      )}
      {leaving !== null && drafts[leaving] && (
        <TakeOffFinalist
          name={drafts[leaving].name}
          pending={save.isPending}
          onConfirm={() => takeOff(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
      {open !== null && (
        <RecordDialog
          title={open === 'new' ? 'A finalist without a verse' : 'The stage name'}
          schema={FinalistDraft}
          fields={fields}
          values={open === 'new' ? { name: '', submissionId: null } : (drafts[open] as FinalistDraft)}
          save={(draft) =>
            save.mutateAsync(open === 'new' ? [...drafts, draft] : drafts.map((one, at) => (at === open ? draft : one)))
          }
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function swapped(all: readonly FinalistDraft[], a: number, b: number): FinalistDraft[] {
  const next = [...all]
  const [one, other] = [next[a], next[b]]
  if (one && other) [next[a], next[b]] = [other, one]
  return next
}
