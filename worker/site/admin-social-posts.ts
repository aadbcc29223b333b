import { isNull } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { SocialPostDraft } from '../contract/admin-content'
import { newId } from '../lib/crypto'
import { publishImages } from '../uploads/uploads'
import { socialPostList } from './admin-list'
import { socialPosts } from './site.table'

export const socialPostCrud: Crud<SocialPostDraft> = {
  noun: 'social_post',
  table: socialPosts,
  notFoundMessage: 'That post does not exist.',
  ...softDelete(socialPosts.removedAt),
  isSortable: isNull(socialPosts.removedAt),

  list: () => socialPostList,

  async toRow({ db }, values, id) {
    await publishImages(db, [values.imageUrl])
    return { id: id ?? newId('social'), values }
  },
}
