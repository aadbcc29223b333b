import { type FormEvent, useState } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useNameFinalists } from './challenge-admin.queries'
import { arePicksPublic, PICKS_ARE_PUBLIC } from './challenge-admin-text'
import { RemoveFinalistDialog } from './RemoveFinalistDialog'

type Props = { verse: VerseSubmission; challenge: AdminChallenge }

/** Says that a verse is a finalist's; puts it among them under a stage name, or takes it off again, until voting begins. */
export function FinalistControls({ verse, challenge }: Props) {
  const save = useNameFinalists(challenge)
  const [problem, setProblem] = useState<string>()
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const [isConfirming, setConfirming] = useState(false)
  const removeFinalist = () => {
    setConfirming(false)
    save.mutate(
      drafts.filter(({ submissionId }) => submissionId !== verse.id),
      { onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }) },
    )
  }
  const finalist = drafts.find(({ submissionId }) => submissionId === verse.id)
  const isEditable = ['announced', 'submissions', 'finalists'].includes(challenge.state)
  if (finalist)
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p>
          A finalist, as <strong className="font-semibold wrap-anywhere">{finalist.name}</strong>.
        </p>
        {isEditable && (
          <Button
            aria-disabled={save.isPending}
            onClick={() => (arePicksPublic(challenge) ? setConfirming(true) : removeFinalist())}
          >
            Take off the finalists
          </Button>
        )}
        {isConfirming && (
          <RemoveFinalistDialog
            name={finalist.name}
            pending={save.isPending}
            onConfirm={removeFinalist}
            onClose={() => setConfirming(false)}
          />
        )}
      </div>
    )
  if (!isEditable) return null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const name = String(new FormData(event.currentTarget).get('stageName')).trim()
    if (name === '') return setProblem('The stage name must not be empty.')
    setProblem(undefined)
    save.mutate([...drafts, { name, submissionId: verse.id }], {
      onSuccess: () => toast({ title: 'A finalist', text: `${name} is on the list of finalists.` }),
      onError: (error) => setProblem(errorMessage(error)),
    })
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="flex flex-wrap items-end gap-4">
      <TextField
        label="Stage name"
        name="stageName"
        maxLength={80}
        required
        defaultValue={verse.name}
        className="min-w-0 flex-1 basis-60"
        error={problem}
      />
      <Button type="submit" variant="foil" aria-disabled={save.isPending}>
        {save.isPending ? 'One moment' : 'Pick as finalist'}
      </Button>
      {arePicksPublic(challenge) && <p className="basis-full text-sm text-muted">{PICKS_ARE_PUBLIC}</p>}
    </form>
  )
}
