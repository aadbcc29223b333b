import { and, asc, eq, sql } from 'drizzle-orm'
import type { SavedView } from '../contract/saved-views'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { savedViews } from './saved-views.table'

const MAX_VIEWS_PER_LIST = 20

/** An admin's views of a list, by name. */
export const listSavedViews = (db: Db, { userId, list }: { userId: number; list: string }): Promise<SavedView[]> =>
  db
    .select({ id: savedViews.id, list: savedViews.list, name: savedViews.name, search: savedViews.search })
    .from(savedViews)
    .where(and(eq(savedViews.userId, userId), eq(savedViews.list, list)))
    .orderBy(asc(sql`lower(${savedViews.name})`))

type NewView = Omit<SavedView, 'id'> & { userId: number; at: Millis }

/**
 * Saves a view; one of the same name is replaced. @throws AppError `conflict` for too many views; `bad_input` for a
 * search with an email address, because an erasure does not search views.
 */
export async function saveView(db: Db, { userId, list, name, search, at }: NewView): Promise<SavedView> {
  if (new URLSearchParams(search).get('q')?.includes('@'))
    throw new AppError('bad_input', 'A view cannot hold an email address. Clear the search, then save the view.')
  const isOther = sql`${savedViews.userId} = ${userId} AND ${savedViews.list} = ${list} AND ${savedViews.name} <> ${name}`
  const [saved] = await db.all<SavedView>(sql`INSERT INTO saved_views (id, user_id, list, name, search, created_at)
    SELECT ${newId('view')}, ${userId}, ${list}, ${name}, ${search}, ${at}
    WHERE (SELECT count(*) FROM saved_views WHERE ${isOther}) < ${MAX_VIEWS_PER_LIST}
    ON CONFLICT (user_id, list, name) DO UPDATE SET search = excluded.search RETURNING id, list, name, search`)
  if (!saved)
    throw new AppError(
      'conflict',
      `A list has at most ${MAX_VIEWS_PER_LIST} saved views. Delete one that you no longer use.`,
    )
  return saved
}

/** @throws AppError `not_found`, also for another admin's view. */
export async function deleteSavedView(db: Db, { userId, id }: { userId: number; id: string }): Promise<void> {
  const deleted = await db
    .delete(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)))
    .returning({ id: savedViews.id })
  if (deleted.length === 0) throw new AppError('not_found', 'That view was deleted already.')
}
