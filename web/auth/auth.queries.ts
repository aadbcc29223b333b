import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { authApi, type Me } from '../../worker/contract/auth'
import type { LogIn, SignUp } from '../../worker/contract/credentials'
import { ApiError, call } from '../api/call'
import { useTakenOver } from '../lib/taken-over'

/** Who is logged in: null for a visitor. */
export const authStatus = queryOptions({
  queryKey: ['auth', 'status'],
  queryFn: () => call(authApi.status, {}),
})

/** The logged-in supporter, null for a visitor, undefined while it is not known; `isPending` until it is or failed. */
export function useSession() {
  const { data, isPending } = useQuery(authStatus)
  return useTakenOver() ? { me: data, isPending } : { me: undefined, isPending: true }
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
    onSuccess: (me) => become(queries, me),
  })
}

/** Makes an account and logs in to it. */
export function useSignUp() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof SignUp>) => call(authApi.signup, { body }),
    onSuccess: (me) => become(queries, me),
  })
}

/** Logs out of this browser. */
export function useLogOut() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: () => call(authApi.logout, {}), onSuccess: () => become(queries, null) })
}

/** Stores who is here now; what was fetched for whoever was here before is forgotten (`forgetWhoLeft`). */
export function become(queries: QueryClient, me: Me | null): void {
  queries.setQueryData(authStatus.queryKey, me)
}

/** Whoever is here, these are the same: who it is, the artist and the app's own code, and the desk with its own session. */
const ANYBODYS = new Set<unknown>(['auth', 'config', 'admin'])
/** What everybody reads, with a mark or two of their own in it. Everything else is one person's. */
const OPEN = /^((tracks|concerts|products|polls|leaderboard|missions)(\/.*)?|challenge(\/current)?|community\/posts)$/
const isOpen = (key: QueryKey) => OPEN.test(key.slice(0, 2).join('/'))

/**
 * Whenever somebody else is here than before, by this browser's doing or because the session ended elsewhere: nothing of
 * who left stays in memory, and what is on the screen is read again for who is here now.
 */
export function forgetWhoLeft(queries: QueryClient): void {
  let before: number | null | undefined
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryHash !== STATUS) return
    const now = (event.query.state.data as Me | null | undefined)?.id ?? null
    const left = before
    before = now
    // The first answer of all changes nobody: what is there was read for the same person.
    if (left === now || (left === undefined && !event.action.manual)) return
    // Once the screens know: what only supporters may read is not asked for a visitor, nor shown to the next supporter.
    setTimeout(() => {
      const rest = (query: Query) => !ANYBODYS.has(query.queryKey[0])
      const own = (query: Query) => rest(query) && !isOpen(query.queryKey)
      if (left) queries.removeQueries({ type: 'inactive', predicate: rest })
      if (left && now === null) queries.removeQueries({ predicate: own })
      if (left && now !== null) void queries.resetQueries({ predicate: own })
      void queries.invalidateQueries({ predicate: rest })
    })
  })
}
const STATUS = hashKey(authStatus.queryKey)

/** Shows the points that an act's answer names (`totalPoints`) before anything is read again; other answers say nothing. */
export function showPoints(queries: QueryClient, answer: unknown): void {
  const { totalPoints } = (answer ?? {}) as { totalPoints?: unknown }
  if (typeof totalPoints !== 'number') return
  queries.setQueryData(authStatus.queryKey, (me) => me && { ...me, points: totalPoints })
}

/** Asks anew who is here when a call says that nobody is: the session was ended from another browser. */
export function noticeSignedOut(queries: QueryClient, error: Error): void {
  if (error instanceof ApiError && error.code === 'signed_out' && queries.getQueryData(authStatus.queryKey))
    void queries.invalidateQueries({ queryKey: authStatus.queryKey })
}
