import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import { type Input, type Reply, read, send } from './call'

/**
 * One page of a list, and where the next one is: null after the last. `at` is what an earlier page gave as `next`; the
 * first page is at null.
 * @throws ApiError, TypeError as `call` does.
 */
export async function callPage<P extends string, R extends z.ZodMiniType>(
  endpoint: Endpoint<P, null, R>,
  input: Input<P, null>,
  at: string | null,
): Promise<{ rows: Reply<R>; next: string | null }> {
  const response = await send(endpoint, input, { search: at ?? '' })
  return { rows: await read(endpoint, response), next: nextPage(response.headers.get('link')) }
}

/** `</api/points/history?cursor=1.2>; rel="next"` becomes `?cursor=1.2`. */
function nextPage(link: string | null): string | null {
  return /<[^>?]*(\?[^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1] ?? null
}
