import { useMutation } from '@tanstack/react-query'
import { BALLOTS_FILE_NAME, type ExportKind, type ExportRequest, exportsApi } from '../../worker/contract/exports'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call, fillPath, send } from '../api/call'
import { startDownload } from '../lib/start-download'
import { toast, toastError } from '../ui/toast'

export const BALLOTS_FILE_URL = exportsApi.ballots.path

export const EXPORT_LABELS: Record<ExportKind, string> = {
  supporters: 'Supporters',
  newsletter: 'Newsletter',
  orders: 'Orders',
  'order-lines': 'Order lines',
  'verse-submissions': 'Verse submissions',
  'golden-verse-votes': 'Challenge ballots',
  points: 'Points ledger',
}

/** Columns to choose from, by kind. */
export const exportColumns = {
  ...adminQuery('export-columns', exportsApi.columns),
  staleTime: Number.POSITIVE_INFINITY,
}
export const exportSchedules = adminQuery('export-schedules', exportsApi.schedules)

export const useRequestExport = () =>
  useAdminMutation((body: ExportRequest) => call(exportsApi.request, { body }), ['exports'])

const SCHEDULE_KEYS = ['export-schedules']
export const useScheduleExport = () =>
  useAdminMutation((body: ExportRequest) => call(exportsApi.schedule, { body }), SCHEDULE_KEYS)
/** Refetches after an error too, because another tab may have stopped the schedule. */
export const useStopSchedule = () =>
  useAdminMutation((id: string) => call(exportsApi.unschedule, { id }), SCHEDULE_KEYS, { refetchOn: 'settled' })

/** Starts the download. Sends a HEAD request first, because a failed browser download shows no error. */
export const useDownloadBallots = () =>
  useMutation({
    mutationFn: async () => {
      const { ok, status } = await fetch(BALLOTS_FILE_URL, { method: 'HEAD', credentials: 'include' })
      if (status === 404) throw new Error('No challenge with votes has been finished yet.')
      if (!ok) throw new Error('The file could not be loaded. Please try again.')
      startDownload(BALLOTS_FILE_URL)
    },
    onSuccess: () => toast({ title: 'Download Started', text: 'The file is downloading.' }),
    onError: toastError('Download failed'),
  })

export const useEmailBallots = () =>
  useMutation({ mutationFn: (email: string) => call(exportsApi.emailBallots, { body: { email } }) })

/** Downloads the ballots with the token of an emailed link, which allows a limited number of downloads. */
export const useRedeemBallotsLink = () =>
  useMutation({
    mutationFn: async (token: string) => {
      const response = await send(exportsApi.redeemLink, { body: { token } })
      startDownload(URL.createObjectURL(await response.blob()), BALLOTS_FILE_NAME)
    },
  })

const MAX_CHECKS = 60
const CHECK_INTERVAL_MS = 1000

/**
 * Requests an export and downloads it when it is ready. Fails after a minute, after which the admin can download it in
 * the Exports tab.
 */
export const useExportAndDownload = () =>
  useMutation({
    mutationFn: async (kind: ExportKind) => {
      const { id } = await call(exportsApi.request, { body: { kind } })
      for (let check = 0; check < MAX_CHECKS; check++) {
        const file = (await call(exportsApi.list, {})).find((item) => item.id === id)
        if (file?.state === 'ready') return startDownload(fillPath(exportsApi.file.path, { id }))
        if (file?.state === 'failed') throw new Error('The file could not be written. Please try again.')
        await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS))
      }
      throw new Error('The file isn’t ready yet. You’ll find it in the Exports tab.')
    },
    onMutate: () => void toast({ title: 'Writing the file', text: 'It downloads as soon as it is ready.' }),
    onSuccess: () => toast({ title: 'Download Started', text: 'The file is downloading.' }),
    onError: toastError('Export failed'),
  })
