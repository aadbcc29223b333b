import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import { call } from '../api/call'
import { toast, toastError } from '../ui/toast'

/** A read of the dashboard under the key `['admin', ...key]`, fetched on every visit. */
export const adminQuery = <Path extends string, Data>(
  key: string | readonly string[],
  endpoint: Endpoint<Path, null, z.ZodMiniType<Data>>,
) =>
  queryOptions({
    queryKey: ['admin', ...[key].flat()],
    queryFn: () => call(endpoint, {} as never) as Promise<Data>,
    staleTime: 0,
  })

/**
 * A write of the dashboard. It refetches the dashboard's and the public pages' queries of these keys: after success
 * or, with `refetchOn: 'settled'`, after an error too.
 */
export function useAdminMutation<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  keys: readonly string[],
  { refetchOn = 'success' }: { refetchOn?: 'success' | 'settled' } = {},
) {
  const queries = useQueryClient()
  const refetch = () =>
    Promise.all(
      keys.flatMap((key) => [['admin', key], [key]]).map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  return useMutation({ mutationFn, ...(refetchOn === 'success' ? { onSuccess: refetch } : { onSettled: refetch }) })
}

type Removal = {
  keys: readonly string[]
  remove: (id: string) => Promise<unknown>
  restore: (id: string) => Promise<unknown>
  /** The toast's title. */
  title?: string
}

/** Removes a record without confirmation; the toast offers to undo it. */
export function useRemoveWithUndo({ keys, remove, restore, title = 'Deleted' }: Removal) {
  const undo = useAdminMutation(restore, keys)
  const removal = useAdminMutation(remove, keys)
  return (id: string, name: string) =>
    removal.mutate(id, {
      onSuccess: () =>
        toast({
          title,
          text: `${name} is off the site.`,
          action: { label: 'Undo', onPress: () => undo.mutate(id, { onError: toastError('Not restored') }) },
        }),
      onError: toastError(`Not ${title.toLowerCase()}`),
    })
}
