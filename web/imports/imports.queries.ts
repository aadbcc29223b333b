import { queryOptions } from '@tanstack/react-query'
import { IMPORT_STATES_IN_PROGRESS, type Import, importsApi } from '../../worker/contract/imports'
import { call, hasCode } from '../api/call'
import { requestReauthentication } from '../api/reauthentication'
import { sendFile } from '../api/send-file'

const IMPORTS_KEY = ['admin', 'imports']

export const isInProgress = ({ state }: Import): boolean => IMPORT_STATES_IN_PROGRESS.some((each) => each === state)

/** One import, polled every second while a step is in progress. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [...IMPORTS_KEY, 'one', id],
    queryFn: () => call(importsApi.read, { id }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? 1_000 : false),
  })

type UploadOptions = { onProgress: (progress: number) => void; signal: AbortSignal }

/** Uploads a CSV file, after re-authentication if that is required. */
export async function uploadImport(file: File, options: UploadOptions): Promise<Import> {
  const send = () =>
    // Operating systems report different types for a CSV file; the worker reads its content.
    sendFile(importsApi.upload, {}, file.slice(0, file.size, 'text/csv'), {
      ...options,
      search: `?name=${encodeURIComponent(file.name)}`,
    })
  try {
    return await send()
  } catch (error) {
    if (!hasCode(error, 'recent_auth_required') || !(await requestReauthentication({ kind: 'administrator' })))
      throw error
    return send()
  }
}
