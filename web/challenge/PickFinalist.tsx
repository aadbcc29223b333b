import { type FormEvent, useState } from 'react'
import type { DeskChallenge } from '../../worker/contract/challenge-desk'
import type { VerseSubmission } from '../../worker/contract/submissions'
import { sentence } from '../auth/sentence'
import { Button } from '../ui/Button'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { useNameFinalists } from './desk.queries'
import { isTold, PUBLIC_AT_ONCE } from './desk-words'
import { TakeOffFinalist } from './TakeOffFinalist'

type Props = { verse: VerseSubmission; challenge: DeskChallenge }

/** Says that a verse is a finalist's; puts it among them under a stage name, or takes it off again, until voting begins. */
export function PickFinalist({ verse, challenge }: Props) {
  const save = useNameFinalists(challenge)
  const [problem, setProblem] = useState<string>()
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const [isLeaving, setLeaving] = useState(false)
  const takeOff = () => {
    setLeaving(false)
    save.mutate(
      drafts.filter(({ submissionId }) => submissionId !== verse.id),
      { onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }) },
    )
  }
  const own = drafts.find(({ submissionId }) => submissionId === verse.id)
  const isOpen = ['announced', 'submissions', 'finalists'].includes(challenge.state)
  if (own)
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p>
          A finalist, as <strong className="font-semibold wrap-anywhere">{own.name}</strong>.
        </p>
        {isOpen && (
          <Button aria-disabled={save.isPending} onClick={() => (isTold(challenge) ? setLeaving(true) : takeOff())}>
            Take off the finalists
          </Button>
        )}
        {isLeaving && (
          <TakeOffFinalist
            name={own.name}
            pending={save.isPending}
            onConfirm={takeOff}
            onClose={() => setLeaving(false)}
          />
        )}
      </div>
    )
  if (!isOpen) return null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const name = String(new FormData(event.currentTarget).get('stageName')).trim()
    if (name === '') return setProblem('The stage name must not be empty.')
    setProblem(undefined)
    save.mutate([...drafts, { name, submissionId: verse.id }], {
      onSuccess: () => toast({ title: 'A finalist', text: `${name} is on the list of finalists.` }),
      onError: (error) => setProblem(sentence(error)),
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
      <Button type="submit" look="foil" aria-disabled={save.isPending}>
        {save.isPending ? 'One moment' : 'Pick as finalist'}
      </Button>
      {isTold(challenge) && <p className="basis-full text-sm text-muted">{PUBLIC_AT_ONCE}</p>}
    </form>
  )
}
