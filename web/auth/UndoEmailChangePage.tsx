import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { errorMessage, hasCode } from '../api/call'
import { Button, buttonClass } from '../ui/Button'
import { FormError } from '../ui/FormError'
import { SecondFactorField } from './AccountFields'
import { useUndoEmailChange } from './account.queries'
import { CardPage } from './CardPage'
import { useLinkToken } from './EmailLinkConfirmation'

/** /undo-email-change: restores an account's previous address, from the link emailed to that address. */
export function UndoEmailChangePage() {
  const token = useLinkToken()
  const undo = useUndoEmailChange()
  const needsCode = hasCode(undo.error, 'second_factor_required')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const secondFactorCode = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    if (token !== '' && !undo.isPending) undo.mutate({ token, ...(secondFactorCode && { secondFactorCode }) })
  }

  if (undo.isSuccess)
    return (
      <CardPage title="Your address is back">
        <p role="status">
          You were logged out on all your devices, and the old password no longer works. Choose a new one to log in
          again.
        </p>
        <Link to="/reset-password" className={buttonClass('primary', 'mt-8 w-full')}>
          Choose a new password
        </Link>
      </CardPage>
    )
  const linkError = token === '' ? 'This link is not complete. Please open it from the email again.' : undefined
  const undoError = undo.error ? errorMessage(undo.error) : undefined
  const showsCodeField = needsCode || Boolean(undo.variables?.secondFactorCode)
  return (
    <CardPage title="Undo the change">
      <form noValidate method="post" onSubmit={submit} className="grid gap-6">
        <p>
          Did someone else change the address of your account? This restores it, logs out all devices and removes the
          password.
        </p>
        {showsCodeField && <SecondFactorField autoFocus error={undoError} />}
        <Button type="submit" variant="primary" aria-disabled={undo.isPending || token === ''} className="min-h-14">
          {undo.isPending ? 'Restoring' : 'Undo the change'}
        </Button>
        <FormError>{linkError ?? (showsCodeField ? undefined : undoError)}</FormError>
      </form>
    </CardPage>
  )
}
