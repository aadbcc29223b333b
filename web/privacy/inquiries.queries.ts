import { useMutation } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type InquiryDraft, privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'

export type InquiryInput = z.input<typeof InquiryDraft>

/** Sends a question about personal data. */
export const useSendInquiry = () =>
  useMutation({ mutationFn: (body: InquiryInput) => call(privacyApi.createInquiry, { body }) })

/** Says from the mailbox that it was they who asked. */
export const useConfirmInquiry = () =>
  useMutation({ mutationFn: (token: string) => call(privacyApi.confirm, { body: { token } }) })
