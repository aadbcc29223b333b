import type { Endpoint } from '../../worker/contract/endpoint'
import { toast, toastError } from '../ui/toast'
import { fillPath, requireAccess } from './call'

/** Downloads a record's file. Sends a HEAD request first, which shows the re-authentication dialog if required. */
export async function downloadFile<P extends `${string}/:id/${string}`>(endpoint: Endpoint<P, null>, id: string) {
  try {
    await requireAccess(endpoint, { id } as never)
    toast({ title: 'Download Started' })
    window.location.assign(fillPath(endpoint.path, { id }))
  } catch (error) {
    toastError('Download failed')(error as Error)
  }
}
