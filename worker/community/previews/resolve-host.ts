import { isIP } from 'node:net'

/** What a name leads to in one family of addresses. */
type Lookup = (name: string) => Promise<readonly string[]>

/** The name, or this family of it, is not there: an answer, and no failure. */
const NOT_FOUND_CODES = new Set<unknown>(['ENODATA', 'ENOTFOUND'])

/**
 * All addresses of a name, of both families; none for a name that has none. A name of one family alone is a name like
 * any other. Where one family cannot be asked, nothing is known: what it would have said might be a private address.
 * Aliases that a resolver puts among the addresses are left out: what they lead to stands beside them.
 * @throws what a lookup throws, but for names that are not there.
 */
export const combineLookups =
  (lookups: readonly Lookup[]): Lookup =>
  async (name) => {
    const found = await Promise.all(
      lookups.map((lookup) =>
        lookup(name).catch((error: unknown) => {
          if (NOT_FOUND_CODES.has((error as { code?: unknown } | null)?.code)) return []
          throw error
        }),
      ),
    )
    return found.flat().filter((address) => isIP(address) !== 0)
  }
