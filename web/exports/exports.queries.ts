import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ExportKind, exportsApi } from '../../worker/contract/exports'
import { call, send } from '../api/call'

/** The ballots' address: opened as a download it starts one. */
export const BALLOTS_FILE = exportsApi.ballots.path
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

/** Mails a link to the ballots. */
export const useEmailBallots = () =>
  useMutation({ mutationFn: (email: string) => call(exportsApi.emailBallots, { body: { email } }) })

/** Spends one use of a mailed link and hands the file over. */
export const useRedeemLink = () =>
  useMutation({
    mutationFn: async (token: string) => {
      const answer = await send(exportsApi.redeemLink, { body: { token } })
      saveAs(URL.createObjectURL(await answer.blob()), 'complete_994_votes.csv')
    },
  })

/** Starts a download, as a link with the download attribute does. */
export function saveAs(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
