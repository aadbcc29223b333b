import type { Me } from '../../worker/contract/auth'
import { useResendVerification } from '../auth/account.queries'
import { SignUpOrLogin } from '../auth/SignUpOrLogin'
import { Button } from '../ui/Button'

type Props = {
  challengeId: string
  /** Null for a visitor, undefined while it is not known. */
  me: Me | null | undefined
  isVerified: boolean | undefined
}

/** What the reader needs for a vote, before they press for it in vain. */
export function VoteRequirements({ challengeId, me, isVerified }: Props) {
  const resend = useResendVerification()
  // Its own address: /challenge may be another one's by the time they are back.
  const back = `/challenge/${challengeId}#vote`
  if (me === null)
    return (
      <div className="challenge-note">
        <p className="max-w-prose">Votes are for supporters. It is free, and your vote counts once.</p>
        <SignUpOrLogin back={back} />
      </div>
    )
  if (me && isVerified === false)
    return (
      <div className="challenge-note">
        <p className="max-w-prose wrap-anywhere">
          Please confirm your email address first: the link in the mail to {me.email} does it. Then your vote counts.
        </p>
        <Button
          className="mt-4"
          aria-disabled={resend.isPending}
          onClick={() => !resend.isPending && resend.mutate(me.email)}
        >
          {resend.isPending ? 'Sending' : 'Send a new link'}
        </Button>
      </div>
    )
  return <p className="max-w-prose text-muted">Hear them out. You have one vote, and it stays as you cast it.</p>
}
