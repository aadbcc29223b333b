import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContentApi } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { toast } from '../ui/toast'

const alwaysStale = { staleTime: 0 }
export const adminTracks = queryOptions({
  queryKey: ['admin', 'tracks'],
  queryFn: () => call(adminContentApi.tracks, {}),
  ...alwaysStale,
})
export const adminProducts = queryOptions({
  queryKey: ['admin', 'products'],
  queryFn: () => call(adminContentApi.products, {}),
  ...alwaysStale,
})
export const adminConcerts = queryOptions({
  queryKey: ['admin', 'concerts'],
  queryFn: () => call(adminContentApi.concerts, {}),
  ...alwaysStale,
})
export const adminSite = queryOptions({
  queryKey: ['admin', 'site'],
  queryFn: () => call(adminContentApi.site, {}),
  ...alwaysStale,
})

/** A save of the desk: what it shows and what the public pages have read is read again. */
export function useSave<Input, Output>(save: (input: Input) => Promise<Output>, keys: readonly string[]) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await Promise.all(
        keys.flatMap((noun) => [
          queries.invalidateQueries({ queryKey: ['admin', noun] }),
          queries.invalidateQueries({ queryKey: [noun] }),
        ]),
      )
    },
  })
}

/** Takes something off the site at once; the toast takes it back. */
export function useRemoveWithUndo(
  key: string,
  remove: (id: string) => Promise<unknown>,
  restore: (id: string) => Promise<unknown>,
  /** What the public pages call it, where they call it something else. */
  publicKey: string = key,
  successTitle = 'Deleted',
) {
  const undo = useSave(restore, [key, publicKey])
  const removal = useSave(remove, [key, publicKey])
  const showUndoError = ({ message }: Error) => toast({ title: 'Not put back', text: message, tone: 'destructive' })
  return (id: string, name: string) =>
    removal.mutate(id, {
      onSuccess: () =>
        toast({
          title: successTitle,
          text: `${name} is off the site.`,
          action: { label: 'Undo', onPress: () => undo.mutate(id, { onError: showUndoError }) },
        }),
      onError: ({ message }) =>
        toast({ title: `Not ${successTitle.toLowerCase()}`, text: message, tone: 'destructive' }),
    })
}
