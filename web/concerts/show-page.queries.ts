import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Attendance, checkInApi, type ShowPage } from '../../worker/contract/concerts'
import { call } from '../api/call'
import { markMissionsCompleted } from '../points/points.queries'

export const showPage = (id: string) =>
  queryOptions({ queryKey: ['concerts', 'page', id], queryFn: () => call(checkInApi.show, { id }) })

/**
 * Applies a mutation's result to a cached show page and refetches it: a fetch under way (as after log-in) may miss the
 * mutation. The entry keeps its age, because its `now` does not change.
 */
function updatePage(queries: QueryClient, id: string, change: (page: ShowPage) => ShowPage) {
  const { queryKey } = showPage(id)
  const updatedAt = queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  queries.setQueryData(queryKey, (page?: ShowPage) => page && change(page), { updatedAt })
  void queries.invalidateQueries({ queryKey })
}

/** `named`: show the username on the page. Null takes the attendance back. */
export function useGoing(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (attendance: { named: boolean } | null) =>
      attendance ? call(checkInApi.going, { id, body: attendance }) : call(checkInApi.notGoing, { id }),
    onSuccess: (going: Attendance) => updatePage(queries, id, (page) => ({ ...page, going })),
  })
}

/** Checks in with the code at the door or a saved scan. */
export function useCheckIn(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (proof: { code: string } | { arrivalToken: string }) => call(checkInApi.checkIn, { id, body: proof }),
    onSuccess: (earned) => {
      const doneAt = new Date().toISOString()
      updatePage(queries, id, (page) => ({ ...page, checkIn: { ...page.checkIn, doneAt } }))
      markMissionsCompleted(queries, earned)
    },
    // An earlier check-in shows with its time.
    onError: () => queries.invalidateQueries({ queryKey: showPage(id).queryKey }),
  })
}

/** Exchanges a visitor's scan for a token that stays valid while they sign up. */
export const useSaveScan = (id: string) =>
  useMutation({ mutationFn: (code: string) => call(checkInApi.createToken, { id, body: { code } }) })
