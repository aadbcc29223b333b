import { useMutation } from '@tanstack/react-query'
import { type ExportKind, exportsApi } from '../../worker/contract/exports'
import { call } from '../api/call'
import { toast } from '../ui/toast'
import { saveAs } from './exports.queries'

const LOOKS = 60
const EVERY = 1000

/** Asks for an export and downloads it as soon as it is there; one that takes longer than a minute waits at the desk. */
export const useExportNow = () =>
  useMutation({
    mutationFn: async (kind: ExportKind) => {
      const { id } = await call(exportsApi.request, { body: { kind } })
      for (let look = 0; look < LOOKS; look++) {
        const file = (await call(exportsApi.list, {})).find((one) => one.id === id)
        if (file?.state === 'ready') return saveAs(exportsApi.file.path.replace(':id', id))
        if (file?.state === 'failed') throw new Error('The file could not be written. Please try again.')
        await new Promise((resolve) => setTimeout(resolve, EVERY))
      }
      throw new Error('The file is still being written. It will be in the Exports tab of the desk.')
    },
    onSuccess: () => toast({ title: 'Download Started', text: 'The file is on its way to your downloads.' }),
    onError: ({ message }) => toast({ title: 'Export failed', text: message, tone: 'destructive' }),
  })
