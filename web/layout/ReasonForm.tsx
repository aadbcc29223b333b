import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'

type FormProps = {
  /** Such as 'Ban this supporter?' */
  title: string
  /** What happens after confirming. */
  children: ReactNode
  label?: string
  /** Hint at the field, for example who will read the reason. */
  hint?: string
  maxLength?: number
  isOptional?: boolean
  /** Prefills the field. Then `Cancel` has the focus instead, because Enter in the field would submit the form. */
  defaultReason?: string
  /** Label of the submit button. */
  confirmLabel: string
  /** Runs the action; its error is shown below the field. */
  onSubmit: (reason: string) => Promise<unknown>
  onDone?: () => void
  onCancel: () => void
  /** Between the submit button and `Cancel`. */
  otherActions?: ReactNode
  cancelRef?: RefObject<HTMLButtonElement | null>
}

/** Confirms an action and asks for its reason; shown inside a dialog. */
export function ReasonForm({
  title,
  children,
  label = 'Reason',
  hint,
  maxLength = 200,
  isOptional = false,
  defaultReason,
  confirmLabel: confirm,
  onSubmit,
  onDone,
  onCancel,
  otherActions,
  cancelRef,
}: FormProps) {
  const [fieldError, setFieldError] = useState<string>()
  const [submitError, setSubmitError] = useState<string>()
  const [isPending, setIsPending] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    setSubmitError(undefined)
    setFieldError(reason === '' && !isOptional ? 'Please say why.' : undefined)
    if (reason === '' && !isOptional) return
    setIsPending(true)
    try {
      await onSubmit(reason)
      onDone?.()
    } catch (error) {
      setSubmitError(errorMessage(error as Error))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6 p-6 md:p-9">
      <h2 className="mr-10 font-display text-xl wrap-anywhere">{title}</h2>
      <div className="grid max-w-prose gap-4 text-muted">{children}</div>
      <TextField
        label={label}
        name="reason"
        maxLength={maxLength}
        required={!isOptional}
        defaultValue={defaultReason}
        autoFocus={defaultReason === undefined}
        error={fieldError}
        hint={hint}
      />
      <FormError>{submitError}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? 'One moment' : confirm}
        </Button>
        {otherActions}
        <Button ref={cancelRef} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

type DialogProps = Omit<FormProps, 'onDone' | 'onCancel' | 'cancelRef'> & { onClose: () => void }

/** A `ReasonForm` in its own dialog, which closes after the action. */
export function ReasonDialog({ onClose, ...form }: DialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={form.title}
      onClose={onClose}
      findInitialFocus={form.defaultReason === undefined ? undefined : () => cancel.current}
    >
      <ReasonForm {...form} cancelRef={cancel} onDone={onClose} onCancel={onClose} />
    </Dialog>
  )
}
