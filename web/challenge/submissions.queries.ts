import { useMutation } from '@tanstack/react-query'
import { adminSubmissionsApi } from '../../worker/contract/admin-challenge'
import { call } from '../api/call'

/** One submission unmasked; who looked is written down. */
export const useRevealSubmission = () =>
  useMutation({ mutationFn: (id: string) => call(adminSubmissionsApi.reveal, { id }) })
