import { useMutation } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type InquiryDraft, privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'

export type InquiryInput = z.input<typeof InquiryDraft>

/** Sends a question about personal data. */
export const useAsk = () => useMutation({ mutationFn: (body: InquiryInput) => call(privacyApi.ask, { body }) })

/** Says from the mailbox that it was they who asked. */
export const useConfirmInquiry = () =>
  useMutation({ mutationFn: (token: string) => call(privacyApi.confirm, { body: { token } }) })
