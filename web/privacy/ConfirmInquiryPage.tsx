import { MailedQuestion } from '../newsletter/MailedQuestion'
import { useConfirmInquiry } from './inquiry.queries'

/** /inquiries/confirm: whoever reads the mailbox says that it was they who asked about their data. */
export function ConfirmInquiryPage() {
  return (
    <MailedQuestion
      title="Your question"
      button="Yes, I asked"
      pressed="Noting it"
      act={useConfirmInquiry()}
      done={{ title: 'Thank you', text: 'We know now that the address is yours. The answer comes by mail.' }}
    >
      One press tells us that you asked about your data. If you did not, close this page and nothing happens.
    </MailedQuestion>
  )
}
