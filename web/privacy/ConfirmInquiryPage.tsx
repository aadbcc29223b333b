import { useMutation } from '@tanstack/react-query'
import { privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'
import { EmailLinkConfirmation } from '../auth/CardPage'

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

export const useConfirmInquiry = () =>
  useMutation({ mutationFn: (token: string) => call(privacyApi.confirm, { body: { token } }) })
