import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { checkInApi, type Going, type ShowPage } from '../../worker/contract/check-in'
import { call } from '../api/call'
import { settle } from '../points/earned'

/** Everything on a show's page. */
export const showPage = (id: string) =>
  queryOptions({ queryKey: ['concerts', 'page', id], queryFn: () => call(checkInApi.show, { id }) })

/** Says that one goes, with one's name on the page or without; null takes it back. */
export function useGoing(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (word: { named: boolean } | null) =>
      word ? call(checkInApi.going, { id, body: word }) : call(checkInApi.notGoing, { id }),
    onSuccess: (going: Going) =>
      queries.setQueryData(showPage(id).queryKey, (page?: ShowPage) => page && { ...page, going }),
  })
}

/** Checks in, with the code at the door or with a scan that was kept. */
export function useCheckIn(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (proof: { code: string } | { arrivalToken: string }) => call(checkInApi.checkIn, { id, body: proof }),
    onSuccess: (earned) => {
      const doneAt = new Date().toISOString()
      queries.setQueryData(
        showPage(id).queryKey,
        (page?: ShowPage) => page && { ...page, checkIn: { ...page.checkIn, doneAt } },
      )
      // A page that was asked for meanwhile (one is whenever somebody logs in) does not know of it: it is asked again.
      void queries.invalidateQueries({ queryKey: showPage(id).queryKey })
      settle(queries, earned)
    },
    // Whoever is in already is told when.
    onError: () => queries.invalidateQueries({ queryKey: showPage(id).queryKey }),
  })
}

/** A visitor's scan, kept until there is an account. */
export const useArrive = (id: string) =>
  useMutation({ mutationFn: (code: string) => call(checkInApi.arrive, { id, body: { code } }) })
