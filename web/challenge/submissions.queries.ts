import { useMutation } from '@tanstack/react-query'
import { submissionsApi } from '../../worker/contract/submissions'
import { call } from '../api/call'

/** One submission unmasked; who looked is written down. */
export const useReveal = () => useMutation({ mutationFn: (id: string) => call(submissionsApi.reveal, { id }) })
