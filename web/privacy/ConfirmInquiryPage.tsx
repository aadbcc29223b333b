import { EmailLinkConfirmation } from '../auth/CardPage'
import { useConfirmInquiry } from './inquiries.queries'

/** /inquiries/confirm: whoever reads the mailbox says that it was they who asked about their data. */
export function ConfirmInquiryPage() {
  return (
    <EmailLinkConfirmation
      title="Your question"
      buttonLabel="Yes, I asked"
      pendingLabel="Noting it"
      mutation={useConfirmInquiry()}
      success={{ title: 'Thank you', text: 'We know now that the address is yours. The answer comes by mail.' }}
    >
      One press tells us that you asked about your data. If you did not, close this page and nothing happens.
    </EmailLinkConfirmation>
  )
}
