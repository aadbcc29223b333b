import { isVersion, nextVersion, saveVersioned } from '../audit/save-versioned'
import type { SiteDraft } from '../contract/admin-content'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { publishImages } from '../uploads/uploads'
import { siteQuery } from './site'
import { site } from './site.table'

/** The values of the site form, without fields that other forms edit. @throws AppError `not_found` before set-up. */
export async function getSiteDraft(db: Db): Promise<SiteDraft> {
  const [row] = await siteQuery(db)
  if (!row) throw new AppError('not_found', 'This site is not set up yet.')
  const {
    id: _id,
    updatedAt: _updatedAt,
    currency: _currency,
    homeCountry: _homeCountry,
    lowStockThreshold: _lowStockThreshold,
    accent: _accent,
    sections: _sections,
    labels: _labels,
    setupHiddenAt: _setupHiddenAt,
    ...draft
  } = row
  return draft
}

/** Creates or updates the site's row, with an audit entry. @throws AppError `bad_input`, `conflict`. */
export async function saveSite(db: Db, { version, ...draft }: SiteDraft, { actorId, at }: Actor): Promise<void> {
  const { heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl } = draft
  await publishImages(db, [heroUrl, heroPortraitUrl, shareImageUrl, iconUrl, maskableIconUrl])
  const values = { ...draft, updatedAt: at }
  const upsert = db
    .insert(site)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({
      target: site.id,
      set: { ...values, version: nextVersion(site.version) },
      setWhere: isVersion(site.version, version),
    })
  await saveVersioned(db, upsert, { actorId, action: 'site.changed', at })
}
