import { queryOptions, useMutation } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type Broadcast, type BroadcastDraft, broadcastsApi } from '../../worker/contract/broadcasts'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

type Draft = z.input<typeof BroadcastDraft>

const isInProgress = ({ state, scheduledAt }: Broadcast) =>
  state === 'sending' || (state === 'scheduled' && Date.parse(scheduledAt ?? '') <= Date.now())

export const broadcasts = queryOptions({
  queryKey: ['admin', 'broadcasts', 'all'],
  queryFn: () => call(broadcastsApi.list, {}),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => {
    if (data?.some(isInProgress)) return 2_000
    return data?.some(({ state }) => state === 'scheduled') ? 30_000 : false
  },
})

/** Audiences and their sizes. */
export const audiences = adminQuery(['broadcasts', 'audiences'], broadcastsApi.audiences)

export const broadcastById = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'broadcasts', 'one', id],
    queryFn: () => call(broadcastsApi.broadcast, { id }),
    staleTime: 0,
  })

const KEYS = ['broadcasts']

/** Creates or updates a draft and returns its id. */
export const useSaveDraft = () =>
  useAdminMutation(async ({ id, draft }: { id: string | null; draft: Draft }) => {
    if (id === null) return (await call(broadcastsApi.create, { body: draft })).id
    await call(broadcastsApi.update, { id, body: draft })
    return id
  }, KEYS)

export const usePreviewBroadcast = () =>
  useMutation({ mutationFn: (body: Draft) => call(broadcastsApi.preview, { body }) })
export const useTestBroadcast = () =>
  useMutation({
    mutationFn: ({ id, to }: { id: string; to: string }) => call(broadcastsApi.test, { id, body: { to } }),
  })
export const useSendBroadcast = () =>
  useAdminMutation(({ id, at }: { id: string; at?: string }) => call(broadcastsApi.send, { id, body: { at } }), KEYS)
export const useCancelBroadcast = () => useAdminMutation((id: string) => call(broadcastsApi.cancel, { id }), KEYS)
export const useRemoveBroadcast = () => useAdminMutation((id: string) => call(broadcastsApi.remove, { id }), KEYS)

export function audienceName({ kind, value }: Broadcast['audience']): string {
  if (kind === 'all') return 'Every subscriber'
  if (kind === 'alerts') return `People who requested shows in ${value}`
  return kind === 'city' ? `Subscribers in ${value}` : `Subscribers with ${value}`
}
