import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ExportKind, exportsApi } from '../../worker/contract/exports'
import { call, send } from '../api/call'
import { toast } from '../ui/toast'

/** The ballots' address: opened as a download it starts one. */
export const BALLOTS_FILE_URL = exportsApi.ballots.path
/** The key of the list of exports. */
export const EXPORTS_KEY = ['admin', 'exports']

/** Asks for an export; it is written in the background. */
export function useRequestExport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (kind: ExportKind) => call(exportsApi.request, { body: { kind } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: EXPORTS_KEY }),
  })
}

/** Starts the download of the ballots. A look first: a download that finds nothing says so to nobody. */
export const useDownloadBallots = () =>
  useMutation({
    mutationFn: async () => {
      const { ok, status } = await fetch(BALLOTS_FILE_URL, { method: 'HEAD', credentials: 'include' })
      if (status === 404) throw new Error('No challenge with votes has been finished yet.')
      if (!ok) throw new Error('The file could not be fetched. Please try again.')
      startDownload(BALLOTS_FILE_URL)
    },
    onSuccess: () => toast({ title: 'Download Started', text: 'The file is on its way to your downloads.' }),
    onError: ({ message }) => toast({ title: 'Download failed', text: message, tone: 'destructive' }),
  })

/** Mails a link to the ballots. */
export const useEmailBallots = () =>
  useMutation({ mutationFn: (email: string) => call(exportsApi.emailBallots, { body: { email } }) })

/** Spends one use of a mailed link and hands the file over. */
export const useRedeemLink = () =>
  useMutation({
    mutationFn: async (token: string) => {
      const response = await send(exportsApi.redeemLink, { body: { token } })
      startDownload(URL.createObjectURL(await response.blob()), 'complete_994_votes.csv')
    },
  })

/** Starts a download, as a link with the download attribute does. */
export function startDownload(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
