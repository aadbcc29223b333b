import { MailedQuestion } from '../newsletter/MailedQuestion'
import { useWithdraw } from './now.queries'

/** /challenge/withdraw: whoever holds the link of the mail takes the verse back. */
export function WithdrawPage() {
  return (
    <MailedQuestion
      title="Take it back?"
      button="Take my verse back"
      pressed="Taking it back"
      act={useWithdraw()}
      done={{ title: 'It is gone', text: 'Your verse, its recording and your details are deleted.' }}
    >
      One press, and your verse, its recording, your name, email address and phone number are deleted. This cannot be
      undone.
    </MailedQuestion>
  )
}
