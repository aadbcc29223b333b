import { MailedQuestion } from './MailedQuestion'
import { useConfirmNewsletter } from './preferences.queries'

/** /newsletter/confirm: the second half of the double opt-in. */
export function ConfirmNewsletterPage() {
  return (
    <MailedQuestion
      title="Join the list"
      button="Yes, put me on the list"
      pressed="Joining"
      act={useConfirmNewsletter()}
      done={{
        title: 'You are on it',
        text: 'New drops, new music and new shows reach you first. A welcome is on its way.',
      }}
    >
      One press, and you hear first of new merch, music and shows. Every mail has a way out.
    </MailedQuestion>
  )
}
