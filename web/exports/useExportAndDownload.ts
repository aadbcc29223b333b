import { useMutation } from '@tanstack/react-query'
import { type ExportKind, exportsApi } from '../../worker/contract/exports'
import { call } from '../api/call'
import { toast } from '../ui/toast'
import { startDownload } from './exports.queries'

const MAX_CHECKS = 60
const CHECK_INTERVAL_MS = 1000

/** Asks for an export and downloads it as soon as it is there; one that takes longer than a minute waits at the desk. */
export const useExportAndDownload = () =>
  useMutation({
    mutationFn: async (kind: ExportKind) => {
      const { id } = await call(exportsApi.request, { body: { kind } })
      for (let attempt = 0; attempt < MAX_CHECKS; attempt++) {
        const file = (await call(exportsApi.list, {})).find((item) => item.id === id)
        if (file?.state === 'ready') return startDownload(exportsApi.file.path.replace(':id', id))
        if (file?.state === 'failed') throw new Error('The file could not be written. Please try again.')
        await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS))
      }
      throw new Error('The file is still being written. It will be in the Exports tab of the desk.')
    },
    onSuccess: () => toast({ title: 'Download Started', text: 'The file is on its way to your downloads.' }),
    onError: ({ message }) => toast({ title: 'Export failed', text: message, tone: 'destructive' }),
  })
