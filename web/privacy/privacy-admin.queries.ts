import { queryOptions } from '@tanstack/react-query'
import { type AddressErasure, privacyApi } from '../../worker/contract/privacy'
import { useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

export const inquiryById = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'inquiries', 'page', id],
    queryFn: () => call(privacyApi.inquiry, { id }),
    staleTime: 0,
  })

/** What is stored about the address of an inquiry. */
export const addressData = (id: string) => ({
  queryKey: ['admin', 'address-data', id],
  queryFn: () => call(privacyApi.lookUpAddress, { id }),
  staleTime: 0,
})

// The inquiry's history lists downloads and emails of the data, so these two mutations refetch the inquiry.
export const useDownloadAddressData = () =>
  useAdminMutation((id: string) => call(privacyApi.exportAddress, { id }), ['inquiries'])
export const useSendAddressData = () =>
  useAdminMutation((id: string) => call(privacyApi.sendAddressExport, { id }), ['inquiries'])

// Another administrator may have closed the inquiry, so the next two mutations refetch after errors too.
/** `onErased` runs before the refetch, which finds the inquiry without its address. */
export const useEraseAddress = (onErased: (receipt: AddressErasure) => void) =>
  useAdminMutation(
    async ({ id, shownOtherwise }: { id: string; shownOtherwise: boolean }) =>
      onErased(await call(privacyApi.eraseAddress, { id, body: { shownOtherwise } })),
    ['inquiries'],
    { refetchOn: 'settled' },
  )
export const useAnswerInquiry = () =>
  useAdminMutation(
    ({ id, answer }: { id: string; answer: string }) => call(privacyApi.answer, { id, body: { answer } }),
    ['inquiries'],
    { refetchOn: 'settled' },
  )
