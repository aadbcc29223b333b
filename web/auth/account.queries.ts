import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Reauthentication } from '../../worker/contract/auth'
import { accountApi, authApi } from '../../worker/contract/auth'
import { call } from '../api/call'
import { authStatus, setCurrentUser } from './auth.queries'

/** What the account page shows. */
export const account = queryOptions({ queryKey: ['account'], queryFn: () => call(accountApi.account, {}) })

export type ReauthenticationInput = z.input<typeof Reauthentication>

/** Changes the name, the phone number or the place on the leaderboard. */
export function useChangeSettings() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { username?: string; leaderboardOptOut?: boolean; phoneNumber?: string }) =>
      call(accountApi.settings, { body }),
    onSuccess: (changed) => {
      queries.setQueryData(account.queryKey, changed)
      for (const queryKey of [authStatus.queryKey, ['leaderboard'], ['missions']])
        void queries.invalidateQueries({ queryKey })
    },
  })
}

/** Sets a new password; every other browser is logged out. */
export function useChangePassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { current?: string; password: string }) => call(authApi.changePassword, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: account.queryKey }),
  })
}

/** Ends every session of the account, this one too. */
export function useLogOutEverywhere() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(authApi.logoutEverywhere, {}),
    onSuccess: () => setCurrentUser(queries, null),
  })
}

/** Erases the account of whoever proves to be its owner. */
export function useDeleteAccount() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ReauthenticationInput) => call(accountApi.erase, { body }),
    onSuccess: () => setCurrentUser(queries, null),
  })
}

/** Shows who is there; good for 15 minutes. */
export const useReauthenticate = () =>
  useMutation({ mutationFn: (body: ReauthenticationInput) => call(authApi.confirm, { body }) })
/** Mails six digits. */
export const useSendEmailCode = () => useMutation({ mutationFn: () => call(authApi.emailCode, {}) })
/** Mails a fresh link to verify the address. */
export const useResendVerification = () => useMutation({ mutationFn: () => call(authApi.resend, {}) })
/** Verifies an address by the secret of its mail. */
export function useVerifyEmail() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call(authApi.verify, { body: { token } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: authStatus.queryKey }),
  })
}
/** Asks for a mail with a link to choose a new password. */
export const useRequestPasswordReset = () =>
  useMutation({ mutationFn: (email: string) => call(authApi.forgot, { body: { email } }) })
/** Sets a new password by the secret of its mail. It ends the account's sessions, so who is here is asked anew. */
export function useResetPassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { token: string; password: string }) => call(authApi.reset, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: authStatus.queryKey }),
  })
}
