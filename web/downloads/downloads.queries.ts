import { queryOptions } from '@tanstack/react-query'
import { type Download, downloadsApi } from '../../worker/contract/downloads'
import { call } from '../api/call'

/** Download formats of all digital variants. */
export const variantFormats = queryOptions({
  queryKey: ['download-formats'],
  queryFn: () => call(downloadsApi.formats, {}),
})

const PREPARING_INTERVAL_MS = 4_000
/** Well within the day for which the links are valid. */
const LINKS_STALE_MS = 60 * 60 * 1000

/** Polls while a file is being prepared. */
const refetchInterval = ({ state }: { state: { data?: Download[] | undefined } }) =>
  state.data?.some(isPreparing) ? PREPARING_INTERVAL_MS : false

/** Whether files are still being prepared; false before `opensAt`, until which no files are listed. */
export const isPreparing = ({ formats, preparing, opensAt }: Download): boolean =>
  opensAt === null && (preparing.length > 0 || formats.length === 0)

export const orderDownloads = (id: string, secret: string) =>
  queryOptions({
    queryKey: ['order-downloads', id, secret],
    queryFn: () => call(downloadsApi.ofOrder, { id }, { search: `?client_secret=${encodeURIComponent(secret)}` }),
    staleTime: 0,
    refetchInterval,
  })

export const myDownloads = queryOptions({
  queryKey: ['account', 'library'],
  queryFn: () => call(downloadsApi.library, {}),
  staleTime: LINKS_STALE_MS,
  refetchInterval,
})
