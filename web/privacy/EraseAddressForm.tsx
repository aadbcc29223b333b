import { type FormEvent, useState } from 'react'
import type { AddressErasure } from '../../worker/contract/privacy'
import { RETENTION } from '../../worker/contract/retention'
import { Button } from '../ui/Button'
import { CheckField } from '../ui/Field'
import { focusOnMount } from '../ui/focus-on-mount'
import { useEraseAddress } from './privacy-admin.queries'

type Props = {
  id: string
  /** Somebody who reads the mailbox said that it was they who asked. */
  confirmed: boolean
  orders: number
  onErased: (receipt: AddressErasure) => void
  onCancel: () => void
}

/** Says what goes and what stays, and asks how it is known whose address it is. */
export function EraseAddressForm({ id, confirmed, orders, onErased, onCancel }: Props) {
  const erase = useEraseAddress()
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const shownOtherwise = new FormData(event.currentTarget).get('shown') === 'on'
    const missing = !confirmed && !shownOtherwise
    setProblem(missing ? 'Please say so, or wait until they have confirmed it.' : undefined)
    if (missing || erase.isPending) return
    erase.mutate({ id, shownOtherwise }, { onSuccess: onErased, onError: ({ message }: Error) => setProblem(message) })
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid gap-5 border-l-4 border-sunset pl-6">
      <h4 ref={focusOnMount} tabIndex={-1} className="font-display text-lg outline-none">
        Erase all of this?
      </h4>
      <p className="max-w-prose text-muted">
        It cannot be undone. Lists, mails and inquiries go; a verse stays counted without name, address, phone and
        recording.{' '}
        {orders > 0 &&
          `Orders stay in the books for ${RETENTION.transactionMonths / 12} years without their buyer, and one under way keeps its address until it has arrived. `}
        A keyed hash stays, so that nothing is sent there again. It asks for a log-in of the last 15 minutes.
      </p>
      {!confirmed && <CheckField label="They have shown otherwise that the address is theirs" name="shown" />}
      {problem && (
        <p role="alert" className="text-sunset">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="foil" aria-disabled={erase.isPending}>
          {erase.isPending ? 'Erasing' : 'Erase for good'}
        </Button>
        <Button onClick={onCancel}>Keep it</Button>
      </div>
    </form>
  )
}
