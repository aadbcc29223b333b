import { queryOptions, useMutation } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type Audience, type Broadcast, type BroadcastDraft, broadcastsApi } from '../../worker/contract/broadcasts'
import { adminQuery, useAdminMutation, useRemoveWithUndo } from '../admin/admin.queries'
import { call } from '../api/call'

type Draft = z.input<typeof BroadcastDraft>

export const BROADCAST_STATE_LABELS: Record<Broadcast['state'], string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  done: 'Sent',
  cancelled: 'Stopped',
}

export const hasStarted = ({ state }: Broadcast) => state === 'sending' || state === 'done' || state === 'cancelled'

/** Emails that are no longer waiting. */
export const countProcessed = ({ counts }: Broadcast) => counts.sent + counts.failed + counts.unknown

const isInProgress = ({ state, scheduledAt }: Broadcast) =>
  state === 'sending' || (state === 'scheduled' && Date.parse(scheduledAt ?? '') <= Date.now())

/** Milliseconds until these broadcasts are refetched; false for never. */
export function refetchIntervalOf(broadcasts: readonly Broadcast[]): number | false {
  if (broadcasts.some(isInProgress)) return 2_000
  return broadcasts.some(({ state }) => state === 'scheduled') ? 30_000 : false
}

/** Audiences and their sizes. */
export const broadcastAudiences = adminQuery(['broadcasts', 'audiences'], broadcastsApi.audiences)

export const broadcastById = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'broadcasts', 'one', id],
    queryFn: () => call(broadcastsApi.broadcast, { id }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data ? refetchIntervalOf([data]) : false),
  })

const BROADCAST_QUERY_KEYS = ['broadcasts']

/** Creates or updates a draft; returns its id and version. */
export const useSaveDraft = () =>
  useAdminMutation(async ({ id, draft }: { id: string | null; draft: Draft }) => {
    if (id === null) return { id: (await call(broadcastsApi.create, { body: draft })).id, version: 1 }
    await call(broadcastsApi.update, { id, body: draft })
    return { id, version: (draft.version ?? 0) + 1 }
  }, BROADCAST_QUERY_KEYS)

export const usePreviewBroadcast = () =>
  useMutation({ mutationFn: (body: Draft) => call(broadcastsApi.preview, { body }) })
export const useTestBroadcast = () =>
  useMutation({
    mutationFn: ({ id, to }: { id: string; to: string }) => call(broadcastsApi.test, { id, body: { to } }),
  })
export const useSendBroadcast = () =>
  useAdminMutation(
    ({ id, ...body }: { id: string; version: number; at?: string }) => call(broadcastsApi.send, { id, body }),
    BROADCAST_QUERY_KEYS,
  )
/** A scheduled broadcast becomes a draft again; a running one stops. */
export const cancelBroadcast = (id: string) => call(broadcastsApi.cancel, { id })
export const useCancelBroadcast = () => useAdminMutation(cancelBroadcast, BROADCAST_QUERY_KEYS)

/** Deleted drafts by their former id, for the undo. In memory only, so a reload forgets them. */
const deletedDrafts = new Map<string, Draft>()

/** Deletes a draft; its content stays in memory for `restoreDraft`. */
export async function removeDraft(id: string): Promise<void> {
  const { subject, markdown, audience } = await call(broadcastsApi.broadcast, { id })
  await call(broadcastsApi.remove, { id })
  deletedDrafts.set(id, { subject, markdown, audience: toAudience(audience) })
}
/** Writes a deleted draft again, under a new id. */
export async function restoreDraft(id: string): Promise<void> {
  const draft = deletedDrafts.get(id)
  if (draft) await call(broadcastsApi.create, { body: draft })
  deletedDrafts.delete(id)
}
export const useRemoveDraft = () =>
  useRemoveWithUndo({
    keys: BROADCAST_QUERY_KEYS,
    remove: removeDraft,
    restore: restoreDraft,
    title: 'Draft deleted',
    textOf: (name) => name,
  })

/** The audience of a draft, as requests send it. */
export const toAudience = ({ kind, value }: Broadcast['audience']): Audience =>
  (kind === 'all' ? { kind } : { kind, value }) as Audience

export function audienceName({ kind, value }: Broadcast['audience']): string {
  if (kind === 'all') return 'Every subscriber'
  if (kind === 'alerts') return `People with show alerts for ${value}`
  return kind === 'city' ? `Subscribers in ${value}` : `Subscribers with ${value}`
}
