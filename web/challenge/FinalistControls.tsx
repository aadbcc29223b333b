import { type FormEvent, useState } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { useSetFinalists } from './challenge-admin.queries'
import { areFinalistsEditable, arePicksPublic, PUBLIC_PICKS_WARNING } from './challenge-admin-text'
import { RemoveFinalistDialog } from './RemoveFinalistDialog'

type Props = {
  verse: Pick<VerseSubmission, 'id' | 'name'>
  challenge: AdminChallenge
  onPicked?: () => void
}

/** Adds a verse to the finalists under a stage name, or removes it, until voting begins. */
export function FinalistControls({ verse, challenge, onPicked }: Props) {
  const save = useSetFinalists(challenge)
  const [fieldError, setFieldError] = useState<string>()
  const [isRemoving, setIsRemoving] = useState(false)
  const [nameToConfirm, setNameToConfirm] = useState<string | null>(null)
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const removeFinalist = () => {
    if (save.isPending) return
    setIsRemoving(false)
    save.mutate(
      drafts.filter(({ submissionId }) => submissionId !== verse.id),
      { onError: toastError('Not changed') },
    )
  }
  const finalist = drafts.find(({ submissionId }) => submissionId === verse.id)
  const isEditable = areFinalistsEditable(challenge)
  if (finalist)
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p>
          A finalist, as <strong className="font-semibold wrap-anywhere">{finalist.name}</strong>.
        </p>
        {isEditable && (
          <Button
            aria-disabled={save.isPending}
            onClick={() => (arePicksPublic(challenge) ? setIsRemoving(true) : removeFinalist())}
          >
            Remove from finalists
          </Button>
        )}
        {isRemoving && (
          <RemoveFinalistDialog
            name={finalist.name}
            hasVerse
            pending={save.isPending}
            onConfirm={removeFinalist}
            onClose={() => setIsRemoving(false)}
          />
        )}
      </div>
    )
  if (!isEditable) return null
  const pick = (name: string) => {
    setNameToConfirm(null)
    save.mutateAsync([...drafts, { name, submissionId: verse.id }]).then(
      () => {
        toast({ title: 'A finalist', text: `${name} is a finalist.` })
        onPicked?.()
      },
      (error: Error) => setFieldError(errorMessage(error)),
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const name = String(new FormData(event.currentTarget).get('stageName')).trim()
    if (name === '') return setFieldError('The stage name is required.')
    setFieldError(undefined)
    if (arePicksPublic(challenge)) setNameToConfirm(name)
    else pick(name)
  }
  return (
    <>
      <form noValidate method="post" onSubmit={submit} className="flex flex-wrap items-end gap-4">
        <TextField
          label="Stage name"
          name="stageName"
          maxLength={80}
          required
          defaultValue={verse.name}
          className="min-w-0 flex-1 basis-60"
          error={fieldError}
        />
        <Button type="submit" variant="primary" data-pick aria-disabled={save.isPending}>
          {save.isPending ? 'One moment' : 'Pick as finalist'}
        </Button>
      </form>
      {nameToConfirm !== null && (
        <ConfirmDialog
          title={`Pick ${nameToConfirm} as a finalist?`}
          confirmLabel="Pick as finalist"
          pending={save.isPending}
          onConfirm={() => pick(nameToConfirm)}
          onClose={() => setNameToConfirm(null)}
        >
          <p>{PUBLIC_PICKS_WARNING}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
