import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { redirect, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import { authApi, type Me } from '../../worker/contract/auth'
import type { LogIn, SignUp } from '../../worker/contract/credentials'
import { call, hasCode } from '../api/call'
import { useHydrated } from '../lib/useHydrated'
import type { Turnstile } from '../turnstile/useTurnstile'
import { toast, toastError } from '../ui/toast'

/** The logged-in supporter of this session; null for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: ['auth', 'status'],
  queryFn: () => call(authApi.status, {}),
})

/** Key of a cached flag: true if the page was rendered for a browser without a session cookie. */
export const VISITOR_PAGE_KEY = ['auth', 'visitor-page']

/** `me` is null for a visitor and undefined while loading and after an error. */
export function useSession(): { me: Me | null | undefined; isPending: boolean } {
  const isVisitorPage = useQueryClient().getQueryData(VISITOR_PAGE_KEY) === true
  const { data, isPending } = useQuery(sessionQuery)
  if (useHydrated()) return { me: data, isPending }
  return isVisitorPage ? { me: null, isPending: false } : { me: undefined, isPending: true }
}

/** The logged-in supporter; null for a visitor, undefined while unknown. */
export function useMe() {
  return useSession().me
}

export function useLogIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof LogIn>) => call(authApi.login, { body }),
    onSuccess: (me) => setCurrentUser(queryClient, me),
  })
}

/** `emailSent`: whether the link that confirms the email was sent. */
export type NewSupporter = Me & { emailSent: boolean }

/** Creates an account and logs in to it. */
export function useSignUp({ getToken }: Turnstile) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: z.input<typeof SignUp>): Promise<NewSupporter> => {
      const created = await call(authApi.signup, { body: { ...body, ...(await getToken()) } })
      if (created.emailSent) return created
      // Other sign-ups may have used up the mailbox's quota; a resend counts against the account's quota.
      const emailSent = await call(authApi.resend, {}).then(
        () => true,
        () => false,
      )
      return { ...created, emailSent }
    },
    onSuccess: ({ emailSent: _, ...me }) => setCurrentUser(queryClient, me),
  })
}

/** Logs out of this browser, then goes to the home page. */
export function useLogOutAndGoHome() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const logOut = useMutation({
    mutationFn: () => call(authApi.logout, {}),
    onSuccess: () => setCurrentUser(queryClient, null),
  })
  return () => {
    if (logOut.isPending) return
    logOut.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Logged Out' })
        void navigate({ to: '/' })
      },
      onError: toastError('Log out failed'),
    })
  }
}

/**
 * Route guard: redirects a visitor to the login page, which leads back. On the server it lets every request pass,
 * because pages are rendered without a session.
 */
export async function requireSupporter(match: {
  context: { queryClient: QueryClient }
  location: { href: string }
}): Promise<void> {
  if (typeof window === 'undefined') return
  const me = await match.context.queryClient.ensureQueryData(sessionQuery)
  if (!me) throw redirect({ to: '/login', search: { return: match.location.href } })
}

/** Stores the session and drops or refetches all other data, except the site's config and the dashboard's data. */
export async function setCurrentUser(queryClient: QueryClient, me: Me | null): Promise<void> {
  // A pending request may return the previous user.
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey })
  queryClient.setQueryData(sessionQuery.queryKey, me)
  resetUserQueries(queryClient)
}

const dependsOnUser = ({ queryKey }: Query) => !/^(auth|config|admin)/.test(String(queryKey))
/** Lets components re-render first: a visitor's page must not refetch what only supporters may read. */
const RESET_DELAY_MS = 50
const resetUserQueries = (queryClient: QueryClient) =>
  setTimeout(() => {
    queryClient.removeQueries({ type: 'inactive', predicate: dependsOnUser })
    void queryClient.invalidateQueries({ predicate: dependsOnUser })
  }, RESET_DELAY_MS)

/**
 * Refetches the page's data once the address was confirmed on another device. The session comes last: a notice would
 * otherwise combine the new session with an old vote.
 */
export async function refreshOnceConfirmed(queryClient: QueryClient): Promise<void> {
  const me = await call(authApi.status, {}).catch(() => null)
  if (!me?.emailVerified || me.id !== queryClient.getQueryData(sessionQuery.queryKey)?.id) return
  await queryClient.invalidateQueries({ predicate: dependsOnUser })
  queryClient.setQueryData(sessionQuery.queryKey, me)
}

/** Shows the `totalPoints` of a mutation's response before the session is refetched. */
export function updatePoints(queryClient: QueryClient, response: unknown): void {
  const { totalPoints } = (response ?? {}) as { totalPoints?: unknown }
  if (typeof totalPoints !== 'number') return
  queryClient.setQueryData(sessionQuery.queryKey, (me) => me && { ...me, points: totalPoints })
}

/** Refetches the session after an API call failed with 'signed_out': another browser may have ended it. */
export function handleSignedOut(queryClient: QueryClient, error: Error): void {
  if (hasCode(error, 'signed_out') && queryClient.getQueryData(sessionQuery.queryKey))
    void queryClient
      .invalidateQueries({ queryKey: sessionQuery.queryKey })
      // Only without a session: else the refetched queries could fail with 'signed_out' again, in a loop.
      .then(() => queryClient.getQueryData(sessionQuery.queryKey) || resetUserQueries(queryClient))
}

/** Emails a new link to confirm the account's address. `email` is only for the toast. Never rejects. */
export const resendConfirmation = (email: string) =>
  call(authApi.resend, {}).then(
    () => toast({ title: 'Email sent', text: `A new link is on its way to ${email}.` }),
    toastError('Email not sent'),
  )

/** Replaces the error of an action that needs a confirmed email with an offer of a new link. */
export function handleUnconfirmedEmail(queryClient: QueryClient, error: Error): void {
  if (!hasCode(error, 'confirm_email')) return
  const onPress = () => void resendConfirmation(queryClient.getQueryData(sessionQuery.queryKey)?.email ?? 'you')
  // Runs after the action has shown its own toast.
  setTimeout(() =>
    toast({
      title: 'Confirm your email first',
      text: 'Open the link in the email we sent you.',
      tone: 'destructive',
      action: { label: 'Send a new link', onPress },
    }),
  )
}

/** `dataUpdatedAt` of query data that came with the server-rendered page, where every caller is a visitor. */
export const VISITOR_DATA_UPDATED_AT = 1
const PERSONALIZED_QUERIES = ['tracks', 'polls', 'leaderboard', 'missions', 'community']

/**
 * Refetches server-rendered data that a supporter sees with personal parts (likes, votes, rank, progress, own posts).
 */
export function useRefetchPersonalized(): void {
  const queryClient = useQueryClient()
  const isSupporter = Boolean(useMe())
  useEffect(() => {
    if (isSupporter)
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [name], state }) =>
          state.dataUpdatedAt === VISITOR_DATA_UPDATED_AT && PERSONALIZED_QUERIES.includes(String(name)),
      })
  }, [isSupporter, queryClient])
}
