import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type Broadcast, type BroadcastDraft, broadcastsApi } from '../../worker/contract/broadcasts'
import { call } from '../api/call'

type Draft = z.input<typeof BroadcastDraft>

const KEY = ['admin', 'broadcasts']

/** One that is under way, or about to be: it was sent at once, or its moment has come. */
const isInProgress = ({ state, scheduledAt }: Broadcast) =>
  state === 'sending' || (state === 'scheduled' && Date.parse(scheduledAt ?? '') <= Date.now())

/** The newest broadcasts; while one moves they are asked for again and again, and its bar with them. */
export const broadcasts = queryOptions({
  queryKey: [...KEY, 'all'],
  queryFn: () => call(broadcastsApi.list, {}),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.some(isInProgress) ? 2_000 : data?.some(({ state }) => state === 'scheduled') ? 30_000 : false,
})

/** Who can be written to, with how many they are. */
export const audiences = queryOptions({
  queryKey: [...KEY, 'audiences'],
  queryFn: () => call(broadcastsApi.audiences, {}),
  staleTime: 0,
})

/** One of them with its words, to go on writing. */
export const broadcastById = (id: string) =>
  queryOptions({ queryKey: [...KEY, 'one', id], queryFn: () => call(broadcastsApi.broadcast, { id }), staleTime: 0 })

/** A mutation after which every list of broadcasts is read again. */
function useBroadcastMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: KEY }) })
}

/** Keeps a draft: a new one, or one that is there already. Answers its id. */
export const useSaveDraft = () =>
  useBroadcastMutation(async ({ id, draft }: { id: string | null; draft: Draft }) => {
    if (id === null) return (await call(broadcastsApi.create, { body: draft })).id
    await call(broadcastsApi.update, { id, body: draft })
    return id
  })

export const usePreviewBroadcast = () =>
  useMutation({ mutationFn: (body: Draft) => call(broadcastsApi.preview, { body }) })
export const useTestBroadcast = () =>
  useMutation({
    mutationFn: ({ id, to }: { id: string; to: string }) => call(broadcastsApi.test, { id, body: { to } }),
  })
export const useSendBroadcast = () =>
  useBroadcastMutation(({ id, at }: { id: string; at?: string }) => call(broadcastsApi.send, { id, body: { at } }))
export const useCancelBroadcast = () => useBroadcastMutation((id: string) => call(broadcastsApi.cancel, { id }))
export const useRemoveBroadcast = () => useBroadcastMutation((id: string) => call(broadcastsApi.remove, { id }))

/** Who a broadcast is for, in words. */
export function audienceName({ kind, value }: Broadcast['audience']): string {
  if (kind === 'all') return 'Every reader'
  if (kind === 'alerts') return `Who asked for shows in ${value}`
  return kind === 'city' ? `Readers in ${value}` : `Readers with ${value}`
}
