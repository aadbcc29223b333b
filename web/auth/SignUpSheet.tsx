import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { returnPath } from '../../worker/contract/pages'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { AuthForms, type AuthTab } from './AuthForms'
import { type NewSupporter, useMe } from './auth.queries'
import { choiceText } from './choice-text'
import { completeChoice } from './complete-choice'
import { dropPendingChoice, hideSignUpSheet, type PendingChoice, takePendingChoice } from './pending-choice'

type Props = { choice: PendingChoice; isOpen: boolean }
type Outcome = 'pending' | 'done' | 'failed'

const EXPIRED_TOAST = {
  title: 'Your choice has expired',
  text: 'You’re logged in now. Please vote or like again.',
  tone: 'destructive',
} as const

/** Sign-up and login for a visitor's choice. Completes the choice after a login in the sheet or on another page. */
export function SignUpSheet({ choice, isOpen }: Props) {
  const me = useMe()
  const queryClient = useQueryClient()
  const [newSupporter, setNewSupporter] = useState<NewSupporter | null>(null)
  const [outcome, setOutcome] = useState<Outcome>('pending')
  const handledChoice = useRef<PendingChoice>(null)

  useEffect(() => {
    if (!me || handledChoice.current === choice) return
    handledChoice.current = choice
    if (takePendingChoice()) {
      void completeChoice(queryClient, choice, me).then((isDone) => setOutcome(isDone ? 'done' : 'failed'))
      return
    }
    setOutcome('failed')
    if (isOpen && choice.kind !== 'other') toast(EXPIRED_TOAST)
  }, [me, choice, isOpen, queryClient])
  // After a sign-up the sheet stays open to show the outcome; after a login it closes.
  useEffect(() => {
    if (outcome !== 'pending' && !(newSupporter && isOpen)) dropPendingChoice()
  }, [outcome, newSupporter, isOpen])

  if (!isOpen) return null
  return <SheetDialog choice={choice} newSupporter={newSupporter} outcome={outcome} onSignedUp={setNewSupporter} />
}

type SheetProps = {
  choice: PendingChoice
  newSupporter: NewSupporter | null
  outcome: Outcome
  onSignedUp: (newSupporter: NewSupporter) => void
}

function SheetDialog({ choice, newSupporter, outcome, onSignedUp }: SheetProps) {
  const [tab, setTab] = useState<AuthTab>('signup')
  const { pathname, href } = useRouterState({ select: ({ location }) => location })
  const [initialPathname] = useState(pathname)
  // A link in the sheet, such as 'Forgot your password?', opens another page; the choice stays pending.
  useEffect(() => {
    if (pathname !== initialPathname) hideSignUpSheet()
  }, [pathname, initialPathname])
  const formTitle = tab === 'signup' ? 'Sign up to make it count' : 'Log in to make it count'
  const title = newSupporter ? `You’re in, ${newSupporter.username}` : formTitle
  return (
    <Dialog
      title={title}
      onClose={dropPendingChoice}
      className="sign-up-sheet"
      // After a login, the supporter's poll replaces the visitor's, whose button had focus.
      findReturnTarget={() =>
        choice.kind === 'vote' ? document.getElementById(`poll-${choice.pollId}`)?.closest('article') : null
      }
    >
      <h2 className="mr-12 font-display text-xl wrap-anywhere md:text-2xl">{title}</h2>
      {newSupporter ? (
        <>
          <p role="status" className="mt-4 text-lg wrap-anywhere">
            {outcomeText(choice, outcome)}
          </p>
          <p className="mt-4 max-w-prose wrap-anywhere">
            {newSupporter.emailSent ? 'We sent' : 'We could not send'} a link to{' '}
            <strong className="font-semibold">{newSupporter.email}</strong>.{' '}
            {newSupporter.emailSent ? 'Open it' : 'Request one on your account page'} to confirm your email
            {choice.kind === 'vote' ? '. Your vote counts once you do.' : '.'}
          </p>
          <Button variant="primary" autoFocus className="mt-8 min-h-14 w-full" onClick={dropPendingChoice}>
            Done
          </Button>
        </>
      ) : (
        <>
          <p className="mt-3 mb-6 text-muted wrap-anywhere">
            {choiceText(choice) ?? 'It is free, and you stay on this page.'}
          </p>
          <AuthForms tab={tab} onTab={setTab} back={returnPath(href)} onSignedUp={onSignedUp} />
        </>
      )}
    </Dialog>
  )
}

function outcomeText(choice: PendingChoice, outcome: Outcome): string {
  if (choice.kind === 'other') return 'Your account is ready.'
  if (outcome === 'failed') return 'Your account is ready, but your choice could not be saved. Please try it again.'
  if (outcome === 'pending') return 'One moment …'
  if (choice.kind === 'ballot') return `Your account is ready. Confirm your email, then vote for “${choice.title}”.`
  if (choice.kind === 'vote') return `We saved your vote for “${choice.title}”.`
  return choice.kind === 'like' ? `“${choice.title}” is among your favorites.` : `You like ${choice.title}.`
}
