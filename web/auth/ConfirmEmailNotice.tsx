import { focusManager, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../ui/Button'
import { refreshOnceConfirmed, resendConfirmation } from './auth.queries'

type ResendProps = { email: string; className?: string }

/** Emails a new confirmation link to the account's unconfirmed address. */
export function ResendLinkButton({ email, className }: ResendProps) {
  const resend = useMutation({ mutationFn: () => resendConfirmation(email) })
  return (
    <Button className={className} aria-disabled={resend.isPending} onClick={() => resend.isPending || resend.mutate()}>
      {resend.isPending ? 'Sending' : 'Send a new link'}
    </Button>
  )
}

type NoticeProps = ResendProps & {
  /** What needs the confirmation, for example 'Your vote counts once you confirm your email.' */
  children: ReactNode
}

/**
 * Says that an action needs a confirmed email address, and offers a new link. When the window gets focus, checks
 * whether the address was confirmed on another device.
 */
export function ConfirmEmailNotice({ email, className = 'callout callout-neutral', children }: NoticeProps) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      focusManager.subscribe((isFocused) => {
        if (isFocused) void refreshOnceConfirmed(queryClient)
      }),
    [queryClient],
  )
  return (
    <div className={className}>
      <p className="max-w-prose wrap-anywhere">
        {children} Open the link we emailed to <strong className="font-semibold">{email}</strong>.
      </p>
      <ResendLinkButton email={email} className="mt-4" />
    </div>
  )
}
