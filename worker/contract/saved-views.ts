import * as z from 'zod/mini'
import { del, get, post, team } from './endpoint'
import { line } from './fields'

/** A named search of a list, for the admin who saved it. `search` is a query string: `?tier=gold&sort=-points`. */
export const SavedView = z.object({ id: z.string(), list: z.string(), name: z.string(), search: z.string() })
export type SavedView = z.infer<typeof SavedView>

const search = z
  .string()
  .check(z.maxLength(2_000, 'That view has too many filters.'), z.regex(/^(\?[ -~]*)?$/, 'That view cannot be saved.'))

export const savedViewsApi = {
  views: get('/api/admin/views', z.array(SavedView), {
    ...team,
    description: "The caller's saved views of the list named in `?list=`, sorted by name.",
    query: ['list'],
  }),
  save: post(
    '/api/admin/views',
    z.strictObject({ list: line(40, 'The list'), name: line(40, 'The name'), search }),
    SavedView,
    { ...team, description: 'Replaces the view of the same name; 409 `conflict` for more than twenty.' },
  ),
  remove: del('/api/admin/views/:id', null, null, team),
}
