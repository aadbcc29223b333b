import { useMutation } from '@tanstack/react-query'
import { privacyApi } from '../../worker/contract/privacy'
import { useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

export const addressData = (id: string) => ({
  queryKey: ['admin', 'address-data', id],
  queryFn: () => call(privacyApi.lookUpAddress, { id }),
  staleTime: 0,
})

export const useDownloadAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.exportAddress, { id }) })
export const useEmailAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.emailAddressExport, { id }) })

// Another administrator may have closed the inquiry, so these refetch after errors too.
export const useEraseAddress = () =>
  useAdminMutation(
    ({ id, shownOtherwise }: { id: string; shownOtherwise: boolean }) =>
      call(privacyApi.eraseAddress, { id, body: { shownOtherwise } }),
    ['inquiries'],
    { refetchOn: 'settled' },
  )
export const useAnswerInquiry = () =>
  useAdminMutation(
    ({ id, answer }: { id: string; answer: string }) => call(privacyApi.answer, { id, body: { answer } }),
    ['inquiries'],
    { refetchOn: 'settled' },
  )
