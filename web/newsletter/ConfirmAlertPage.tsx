import { MailedQuestion } from './MailedQuestion'
import { useConfirmAlert } from './preferences.queries'

/** /alerts/confirm: whoever reads the mailbox wants to be told of shows. */
export function ConfirmAlertPage() {
  return (
    <MailedQuestion
      title="Show alerts"
      button="Yes, tell me"
      pressed="Noting it"
      act={useConfirmAlert()}
      done={{ title: 'Noted', text: 'When a show is announced, you hear of it first.' }}
    >
      One press, and a mail tells you of each new show, once. Every mail has a way out.
    </MailedQuestion>
  )
}
