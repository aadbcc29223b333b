import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CardPage } from '../auth/CardPage'
import { errorMessage } from '../auth/error-message'
import { Button, buttonClass } from '../ui/Button'
import { useLinkToken } from './useLinkToken'

type Props = {
  title: string
  /** What the button does, in a sentence. */
  children: ReactNode
  buttonLabel: string
  pendingLabel: string
  mutation: {
    mutate: (token: string) => void
    isPending: boolean
    isSuccess: boolean
    error: Error | null
  }
  /** What is true once it was pressed. */
  success: { title: string; text: string }
}

/** A page that a mailed link opens. Opening it does nothing: scanners press links; the button does. */
export function EmailLinkConfirmation({
  title,
  children,
  buttonLabel: button,
  pendingLabel: pressed,
  mutation: act,
  success: done,
}: Props) {
  const token = useLinkToken()
  if (act.isSuccess)
    return (
      <CardPage title={done.title}>
        <p role="status">{done.text}</p>
        <Link to="/" className={buttonClass('foil', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </CardPage>
    )
  const problem = act.error ? errorMessage(act.error) : token === '' ? 'This link is not complete.' : null
  return (
    <CardPage title={title}>
      <p>{children}</p>
      <Button
        variant="foil"
        aria-disabled={act.isPending || token === ''}
        onClick={() => token !== '' && !act.isPending && act.mutate(token)}
        className="mt-8 min-h-14 w-full"
      >
        {act.isPending ? pressed : button}
      </Button>
      {problem && (
        <p role="alert" className="mt-4 text-sunset">
          {problem}
        </p>
      )}
    </CardPage>
  )
}
