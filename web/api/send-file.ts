import type * as z from 'zod/mini'
import type { Endpoint, PathParam } from '../../worker/contract/endpoint'
import { ApiError, fillPath, type Reply } from './call'

type Options = {
  /** Called with the uploaded fraction, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
  /** Query string, with its question mark. */
  search?: string
}

/**
 * Uploads a file with its content type; resolves to the response's data. `fetch` reports no progress of uploads.
 * @throws ApiError on a non-OK status; TypeError if the network fails; the signal's reason if aborted.
 */
export function sendFile<P extends string, R extends z.ZodMiniType | null>(
  endpoint: Endpoint<P, null, R>,
  params: { [Name in PathParam<P>]: string },
  file: Blob,
  { onProgress, signal, search = '' }: Options = {},
): Promise<Reply<R>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open(endpoint.method, fillPath(endpoint.path, params) + search)
    request.setRequestHeader('content-type', file.type)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    request.onerror = () => reject(new TypeError('The network failed.'))
    request.onabort = () => reject(signal?.reason)
    request.onload = () => {
      const { status, responseText, statusText } = request
      if (status < 200 || status > 299)
        return reject(new ApiError(status, request.getResponseHeader('x-error-code'), responseText || statusText))
      resolve((endpoint.response ? JSON.parse(responseText) : undefined) as Reply<R>)
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
