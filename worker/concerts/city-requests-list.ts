import { and, desc, gt, type SQL, sql } from 'drizzle-orm'
import type { CityRequestCount } from '../contract/admin'
import type { Db } from '../db/client'
import { invalidCursor, type ListParams, type Page } from '../db/pagination'
import { base64url, fromBase64url } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { cityTotals } from './concerts.table'

/** A page of requested cities, most requested first. @throws AppError `bad_input`. */
export async function listCityRequests(db: Db, { q, cursor }: ListParams): Promise<Page<CityRequestCount>> {
  const results = await db
    .select()
    .from(cityTotals)
    .where(
      and(
        gt(cityTotals.people, 0),
        afterCity(cursor),
        q === '' ? undefined : sql`instr(${cityTotals.cityKey}, ${normalizeKey(q)})`,
      ),
    )
    .orderBy(desc(cityTotals.people), cityTotals.cityKey)
    .limit(limits.adminPageSize + 1)
  const rows = results.slice(0, limits.adminPageSize)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ city, people }) => ({ city, people })),
    next:
      results.length > rows.length && last
        ? `${last.people}.${base64url(new TextEncoder().encode(last.cityKey))}`
        : null,
  }
}

/** Cities after the cursor, which is `<people>.<encoded city key>`. @throws AppError `bad_input`. */
function afterCity(cursor: string | null): SQL | undefined {
  if (cursor === null) return undefined
  const [, people, encodedKey] = /^(\d{1,15})\.([\w-]{1,700})$/.exec(cursor) ?? []
  if (encodedKey === undefined) throw invalidCursor()
  const key = new TextDecoder().decode(fromBase64url(encodedKey))
  return sql`(${cityTotals.people} < ${Number(people)} OR (${cityTotals.people} = ${Number(people)} AND ${cityTotals.cityKey} > ${key}))`
}
