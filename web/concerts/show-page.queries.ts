import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Attendance, checkInApi, type ShowPage } from '../../worker/contract/concerts'
import { call } from '../api/call'
import { markMissionsCompleted } from '../points/points.queries'

/** Everything on a show's page. */
export const showPage = (id: string) =>
  queryOptions({ queryKey: ['concerts', 'page', id], queryFn: () => call(checkInApi.show, { id }) })

/**
 * Writes into a show's page what an act answered, and asks for the page again: one that was on its way (whenever somebody
 * logs in) does not know of the act. The page stays as old as it was, because its `now` is.
 */
function updatePage(queries: QueryClient, id: string, change: (page: ShowPage) => ShowPage) {
  const { queryKey } = showPage(id)
  const updatedAt = queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  queries.setQueryData(queryKey, (page?: ShowPage) => page && change(page), { updatedAt })
  void queries.invalidateQueries({ queryKey })
}

/** Says that one goes, with one's name on the page or without; null takes it back. */
export function useGoing(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (word: { named: boolean } | null) =>
      word ? call(checkInApi.going, { id, body: word }) : call(checkInApi.notGoing, { id }),
    onSuccess: (going: Attendance) => updatePage(queries, id, (page) => ({ ...page, going })),
  })
}

/** Checks in, with the code at the door or with a scan that was kept. */
export function useCheckIn(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (proof: { code: string } | { arrivalToken: string }) => call(checkInApi.checkIn, { id, body: proof }),
    onSuccess: (earned) => {
      const doneAt = new Date().toISOString()
      updatePage(queries, id, (page) => ({ ...page, checkIn: { ...page.checkIn, doneAt } }))
      markMissionsCompleted(queries, earned)
    },
    // Whoever is in already is told when.
    onError: () => queries.invalidateQueries({ queryKey: showPage(id).queryKey }),
  })
}

/** A visitor's scan, kept until there is an account. */
export const useSaveScan = (id: string) =>
  useMutation({ mutationFn: (code: string) => call(checkInApi.createToken, { id, body: { code } }) })
