import { useMutation } from '@tanstack/react-query'
import { privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'
import { EmailLinkConfirmation } from '../auth/EmailLinkConfirmation'

export function ConfirmInquiryPage() {
  return (
    <EmailLinkConfirmation
      title="Your question"
      buttonLabel="Confirm my inquiry"
      pendingLabel="Saving"
      mutation={useConfirmInquiry()}
      success={{ title: 'Thank you', text: 'Your address is confirmed. We’ll answer by email.' }}
    >
      Please confirm that you asked about your data. If you did not, close this page and nothing happens.
    </EmailLinkConfirmation>
  )
}

const useConfirmInquiry = () =>
  useMutation({ mutationFn: (token: string) => call(privacyApi.confirm, { body: { token } }) })
