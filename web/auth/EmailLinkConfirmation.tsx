import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { errorMessage } from '../api/call'
import { Button, buttonClass } from '../ui/Button'
import { FormError } from '../ui/FormError'
import { CardPage } from './CardPage'

/** The `token` of the emailed link that opened this page; empty if there is none. */
export function useLinkToken(): string {
  return useRouterState({ select: ({ location }) => String((location.search as { token?: unknown }).token ?? '') })
}

type Props = {
  title: string
  /** A sentence that says what the button does. */
  children: ReactNode
  buttonLabel: string
  pendingLabel: string
  mutation: {
    mutate: (token: string) => void
    isPending: boolean
    isSuccess: boolean
    error: Error | null
  }
  success: { title: string; text: string }
}

/** The page of an emailed link. The action needs a press of its button, because link scanners open emailed links. */
export function EmailLinkConfirmation(props: Props) {
  const { title, children, buttonLabel, pendingLabel, mutation, success } = props
  const token = useLinkToken()
  if (mutation.isSuccess)
    return (
      <CardPage title={success.title}>
        <p role="status">{success.text}</p>
        <Link to="/" className={buttonClass('primary', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </CardPage>
    )
  const linkError = token === '' ? 'This link is not complete.' : null
  const error = mutation.error ? errorMessage(mutation.error) : linkError
  return (
    <CardPage title={title}>
      <p>{children}</p>
      <Button
        variant="primary"
        aria-disabled={mutation.isPending || token === ''}
        onClick={() => token !== '' && !mutation.isPending && mutation.mutate(token)}
        className="mt-8 min-h-14 w-full"
      >
        {mutation.isPending ? pendingLabel : buttonLabel}
      </Button>
      <FormError className="mt-4">{error}</FormError>
    </CardPage>
  )
}
