import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { authApi, type Me } from '../../worker/contract/auth'
import type { LogIn, SignUp } from '../../worker/contract/credentials'
import { ApiError, call } from '../api/call'
import { useHydrated } from '../lib/useHydrated'

/** Who is logged in: null for a visitor. */
export const authStatus = queryOptions({
  queryKey: ['auth', 'status'],
  queryFn: () => call(authApi.status, {}),
})

/** The logged-in supporter, null for a visitor, undefined while it is not known; `isPending` until it is or failed. */
export function useSession() {
  const { data, isPending } = useQuery(authStatus)
  return useHydrated() ? { me: data, isPending } : { me: undefined, isPending: true }
}

/** The logged-in supporter, null for a visitor, undefined while it is not known. */
export function useMe() {
  return useSession().me
}

/** Logs in; the answer is the session from then on. */
export function useLogIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof LogIn>) => call(authApi.login, { body }),
    onSuccess: (me) => setCurrentUser(queries, me),
  })
}

/** Makes an account and logs in to it. */
export function useSignUp() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof SignUp>) => call(authApi.signup, { body }),
    onSuccess: (me) => setCurrentUser(queries, me),
  })
}

/** Logs out of this browser. */
export function useLogOut() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: () => call(authApi.logout, {}), onSuccess: () => setCurrentUser(queries, null) })
}

/** Stores who is here now, and forgets what was fetched for whoever was here before; the artist stays the same. */
export function setCurrentUser(queries: QueryClient, me: Me | null): void {
  queries.setQueryData(authStatus.queryKey, me)
  resetUserQueries(queries)
}

const dependsOnUser = ({ queryKey }: Query) => !/^(auth|config|admin)/.test(String(queryKey))
/**
 * Nothing stays in memory that no screen shows, and the rest is read again; the desk has a session of its own. Once the
 * screens know, which is told to them by a timeout, too: what only supporters may read is not asked for a visitor, nor shown to the next supporter.
 */
const resetUserQueries = (queries: QueryClient) =>
  setTimeout(() => {
    queries.removeQueries({ type: 'inactive', predicate: dependsOnUser })
    void queries.invalidateQueries({ predicate: dependsOnUser })
  }, 50)

/** Shows the points that an act's answer names (`totalPoints`) before anything is read again; other answers say nothing. */
export function updatePoints(queries: QueryClient, answer: unknown): void {
  const { totalPoints } = (answer ?? {}) as { totalPoints?: unknown }
  if (typeof totalPoints !== 'number') return
  queries.setQueryData(authStatus.queryKey, (me) => me && { ...me, points: totalPoints })
}

/** Asks anew who is here when a call says that nobody is: the session was ended from another browser. */
export function handleSignedOut(queries: QueryClient, error: Error): void {
  if (error instanceof ApiError && error.code === 'signed_out' && queries.getQueryData(authStatus.queryKey))
    void queries
      .invalidateQueries({ queryKey: authStatus.queryKey })
      // Where that cannot be asked, reading all again would be refused again, and so on.
      .then(() => queries.getQueryData(authStatus.queryKey) || resetUserQueries(queries))
}
