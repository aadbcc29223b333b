import { type FormEvent, type ReactNode, useState } from 'react'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'

type Props = {
  /** 'Ban this supporter?' */
  title: string
  /** What happens after confirming. */
  children: ReactNode
  /** Says who will read the reason. */
  hint: string
  /** The submit button: 'Ban'. */
  confirm: string
  /** Runs the action; an error is shown at the field. */
  onSubmit: (reason: string) => Promise<unknown>
  onDone: () => void
  onCancel: () => void
}

/** Confirms an action against a user and asks for its reason; shown inside a dialog. */
export function ReasonForm({ title, children, hint, confirm, onSubmit, onDone, onCancel }: Props) {
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason === '') return setProblem('Please say why.')
    setProblem(undefined)
    setPending(true)
    try {
      await onSubmit(reason)
      onDone()
    } catch (error) {
      setProblem(errorMessage(error as Error))
    } finally {
      setPending(false)
    }
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6 p-6 md:p-9">
      <h2 className="mr-10 font-display text-xl">{title}</h2>
      <div className="grid max-w-prose gap-4 text-muted">{children}</div>
      <TextField label="Reason" name="reason" maxLength={200} required autoFocus error={problem} hint={hint} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="foil" aria-disabled={pending}>
          {pending ? 'One moment' : confirm}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
