import { recordAuditIfChanged } from '../audit/audit'
import type { AdminSocialPost, AdminTier, SocialPostDraft, TierDraft } from '../contract/admin-content'
import type { TierId } from '../contract/site'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import { requireStoredUploads } from '../uploads/uploads'
import { type Actor, saveRow } from './crud'

/** What the tiers' cards say, in their order. */
export async function listTiers(db: D1Database): Promise<AdminTier[]> {
  const { results } = await db
    .prepare('SELECT id, name, price_cents AS priceCents, features, popular FROM tiers ORDER BY position')
    .all<{ id: TierId; name: string; priceCents: number; features: string; popular: number }>()
  return results.map((row) => ({ ...row, features: JSON.parse(row.features), popular: row.popular === 1 }))
}

/** Keeps a tier's card; the popular one is popular alone. @throws AppError `not_found`, `bad_input` for a Bronze that costs. */
export async function saveTier(db: D1Database, draft: TierDraft, id: string, { actorId, at }: Actor): Promise<void> {
  if (id === 'bronze' && draft.priceCents !== 0) throw new AppError('bad_input', 'Bronze is free.')
  const [result] = await db.batch([
    db
      .prepare('UPDATE tiers SET name = ?2, price_cents = ?3, features = ?4, popular = ?5 WHERE id = ?1 RETURNING id')
      .bind(id, draft.name, draft.priceCents, JSON.stringify(draft.features), Number(draft.popular)),
    recordAuditIfChanged(db, { actorId, action: 'tier.changed', subject: `tier:${id}`, at }),
    db
      .prepare('UPDATE tiers SET popular = 0 WHERE id <> ?1 AND ?2 = 1 AND popular = 1')
      .bind(id, Number(draft.popular)),
  ])
  if (result?.results.length !== 1) throw new AppError('not_found', 'There is no such tier.')
}

/** The social posts under the store, in their order. */
export async function listSocialPosts(db: D1Database): Promise<AdminSocialPost[]> {
  const { results } = await db
    .prepare(
      'SELECT id, title, url, image_url AS imageUrl, image_alt AS imageAlt, position FROM social_posts WHERE removed_at IS NULL ORDER BY position, id',
    )
    .all<AdminSocialPost>()
  return results
}

/** Keeps a social post, a new one without `id`. Returns its id. @throws AppError `not_found`, `bad_input`. */
export async function saveSocialPost(
  db: D1Database,
  draft: SocialPostDraft,
  id: string | null,
  actor: Actor,
): Promise<string> {
  await requireStoredUploads(db, 'picture', [draft.imageUrl.replace('/media/', '')])
  const postId = id ?? newId('social')
  const row = {
    title: draft.title,
    url: draft.url,
    image_url: draft.imageUrl,
    image_alt: draft.imageAlt,
    position: draft.position,
  }
  await saveRow(db, 'social_post', { id: postId, isNew: id === null, row }, actor)
  return postId
}
