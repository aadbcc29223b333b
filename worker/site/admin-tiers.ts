import type { Crud } from '../audit/crud'
import type { TierDraft } from '../contract/admin-content'
import { AppError } from '../lib/app-error'
import { tierList } from './admin-list'
import { tiers } from './site.table'

/** Tiers can be changed, not added or removed. At most one is popular. */
export const tierCrud: Crud<TierDraft> = {
  noun: 'tier',
  table: tiers,
  notFoundMessage: 'There is no such tier.',

  list: () => tierList,

  async toRow({ db }, values, id) {
    if (id === 'bronze' && values.priceCents !== 0) throw new AppError('bad_input', 'Bronze is free.')
    const clearOthers = db.$client.prepare('UPDATE tiers SET popular = 0 WHERE id <> ?1 AND popular = 1').bind(id)
    return { id: id ?? '', values, statements: values.popular ? [clearOthers] : [] }
  },
}
