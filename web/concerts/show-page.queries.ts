import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Attendance, checkInApi, type ShowPage } from '../../worker/contract/check-in'
import { call } from '../api/call'
import { markMissionsCompleted } from '../points/points.queries'

/** A show with its check-in and attendance. Fails with 404 if it does not exist. */
export const showPage = (idOrSlug: string) =>
  queryOptions({
    queryKey: ['concerts', 'page', idOrSlug],
    queryFn: () => call(checkInApi.show, { id: idOrSlug }),
  })

type ShowKey = Pick<ShowPage, 'id' | 'slug'>

/**
 * Applies a mutation's result to a cached show page and refetches it, because a pending fetch may miss the mutation.
 * Keeps `dataUpdatedAt`, because the page's `now` is the server's time at that moment.
 */
function updatePage(queryClient: QueryClient, slug: string, change: (page: ShowPage) => ShowPage) {
  const { queryKey } = showPage(slug)
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  queryClient.setQueryData(queryKey, (page?: ShowPage) => page && change(page), { updatedAt })
  void queryClient.invalidateQueries({ queryKey })
}

/** Sets or, with null, cancels the attendance. `named` shows the username on the page. */
export function useAttendance({ id, slug }: ShowKey) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (attendance: { named: boolean } | null) =>
      attendance ? call(checkInApi.going, { id, body: attendance }) : call(checkInApi.notGoing, { id }),
    onSuccess: (going: Attendance) => updatePage(queryClient, slug, (page) => ({ ...page, going })),
  })
}

/** Checks in with the code at the door or a saved scan. */
export function useCheckIn({ id, slug }: ShowKey) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (credential: { code: string } | { arrivalToken: string }) =>
      call(checkInApi.checkIn, { id, body: credential }),
    onSuccess: (earned) => {
      const doneAt = new Date().toISOString()
      updatePage(queryClient, slug, (page) => ({ ...page, checkIn: { ...page.checkIn, doneAt } }))
      markMissionsCompleted(queryClient, earned)
    },
    // Refetches, because the supporter may have checked in before.
    onError: () => queryClient.invalidateQueries({ queryKey: showPage(slug).queryKey }),
  })
}

/** Exchanges the code of a visitor, or of an unconfirmed supporter, for a token to redeem after the confirmation. */
export const useCreateCheckInToken = (id: string) =>
  useMutation({ mutationFn: (code: string) => call(checkInApi.createToken, { id, body: { code } }) })
