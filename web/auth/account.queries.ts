import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { accountApi, authApi } from '../../worker/contract/auth'
import { call } from '../api/call'
import { withCompletedMissions } from '../points/account-points.queries'
import type { Turnstile } from '../turnstile/useTurnstile'
import { sessionQuery, setCurrentUser } from './auth.queries'

/** Data of the account page. */
export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => call(accountApi.account, {}) })

/** Changes the account's settings. Resolves to the account (`result`) and the missions that the change completed. */
export function useChangeSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { username?: string; leaderboardOptOut?: boolean; phoneNumber?: string }) => {
      const change = () => call(accountApi.settings, { body })
      // A phone number can complete the mission of a full profile.
      return body.phoneNumber === undefined
        ? change().then((result) => ({ result, missions: [] }))
        : withCompletedMissions(change)
    },
    onSuccess: ({ result: changed }) => {
      queryClient.setQueryData(accountQuery.queryKey, changed)
      for (const queryKey of [sessionQuery.queryKey, ['leaderboard'], ['missions']])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Sets a new password and logs out all other browsers. */
export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { current?: string; password: string }) => call(authApi.changePassword, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
}

/** Ends all sessions of the account, including this one. */
export function useLogOutEverywhere() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(authApi.logoutEverywhere, {}),
    onSuccess: () => setCurrentUser(queryClient, null),
  })
}

/** Erases the account after re-authentication. */
export function useDeleteAccount() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(accountApi.erase, { body: {} }),
    onSuccess: () => setCurrentUser(queryClient, null),
  })
}

/**
 * Confirms an address with the token of its link; without a session of the account, the password is needed too.
 * Resolves to an object with the `missions` that this completed, or to null without a session.
 */
export function useVerifyEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { token: string; password?: string }) => {
      const verify = () => call(authApi.verify, { body })
      return queryClient.getQueryData(sessionQuery.queryKey) ? withCompletedMissions(verify) : verify().then(() => null)
    },
    // Votes, ranks and permissions depend on the confirmation.
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Emails a link to a new address. The account uses this address once the user confirms with the link. */
export function useChangeEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call(accountApi.changeEmail, { body: { email } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
}

/** Restores the account's previous address. The server ends all sessions, so this browser refetches its session. */
export function useUndoEmailChange() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { token: string; secondFactorCode?: string }) => call(authApi.undoEmailChange, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

/**
 * Deletes an unconfirmed account or email change with the token of its link, for a mailbox owner who did not make it.
 */
export function useDisownAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call(authApi.notMe, { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

/** Requests an email with a link for choosing a new password. */
export const useRequestPasswordReset = ({ getToken }: Turnstile) =>
  useMutation({
    mutationFn: async (email: string) => call(authApi.forgot, { body: { email, ...(await getToken()) } }),
  })

/** Sets a new password with a link's token. The server ends all sessions, so this browser refetches its session. */
export function useResetPassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { token: string; password: string; secondFactorCode?: string }) => call(authApi.reset, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}
