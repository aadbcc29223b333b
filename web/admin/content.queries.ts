import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { contentApi } from '../../worker/contract/content'
import { call } from '../api/call'
import { toast } from '../ui/toast'

const fresh = { staleTime: 0 }
export const deskTracks = queryOptions({
  queryKey: ['admin', 'tracks'],
  queryFn: () => call(contentApi.tracks, {}),
  ...fresh,
})
export const deskProducts = queryOptions({
  queryKey: ['admin', 'products'],
  queryFn: () => call(contentApi.products, {}),
  ...fresh,
})
export const deskConcerts = queryOptions({
  queryKey: ['admin', 'concerts'],
  queryFn: () => call(contentApi.concerts, {}),
  ...fresh,
})
export const deskSite = queryOptions({
  queryKey: ['admin', 'site'],
  queryFn: () => call(contentApi.site, {}),
  ...fresh,
})

/** A save of the desk: what it shows and what the public pages have read is read again. */
export function useSave<Input, Output>(save: (input: Input) => Promise<Output>, nouns: readonly string[]) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await Promise.all(
        nouns.flatMap((noun) => [
          queries.invalidateQueries({ queryKey: ['admin', noun] }),
          queries.invalidateQueries({ queryKey: [noun] }),
        ]),
      )
    },
  })
}

/** Takes something off the site at once; the toast takes it back. */
export function useRemoval(
  noun: string,
  remove: (id: string) => Promise<unknown>,
  restore: (id: string) => Promise<unknown>,
  /** What the public pages call it, where they call it something else. */
  shownIn: string = noun,
  said = 'Deleted',
) {
  const undo = useSave(restore, [noun, shownIn])
  const removal = useSave(remove, [noun, shownIn])
  const failed = ({ message }: Error) => toast({ title: 'Not put back', text: message, tone: 'destructive' })
  return (id: string, name: string) =>
    removal.mutate(id, {
      onSuccess: () =>
        toast({
          title: said,
          text: `${name} is off the site.`,
          action: { label: 'Undo', onPress: () => undo.mutate(id, { onError: failed }) },
        }),
      onError: ({ message }) => toast({ title: `Not ${said.toLowerCase()}`, text: message, tone: 'destructive' }),
    })
}
