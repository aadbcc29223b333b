import { and, eq } from 'drizzle-orm'
import { isVersion, nextVersion, saveVersioned } from '../audit/save-versioned'
import type { AdminLegalText, AppearanceDraft, LegalTextDraft } from '../contract/appearance'
import { LEGAL_TEXT_IDS, type LegalTextId } from '../contract/appearance-rules'
import { HOME_SECTIONS, NAV_SECTIONS } from '../contract/home-sections'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { readSite } from './site'
import { legalTexts, site } from './site.table'

/** The values of the appearance form, with defaults filled in. @throws AppError `unavailable` before set-up. */
export async function readAppearance(db: Db): Promise<AppearanceDraft> {
  const { accent, sections, labels, version } = await readSite(db)
  return {
    accent,
    sections: sections ?? HOME_SECTIONS.map(({ id }) => ({ id, isVisible: true })),
    labels: {
      ...(Object.fromEntries(NAV_SECTIONS.map(({ id }) => [id, ''])) as AppearanceDraft['labels']),
      ...labels,
    },
    version,
  }
}

/** Saves with an audit entry. Values that equal the defaults are stored as null. @throws AppError `conflict`. */
export async function saveAppearance(db: Db, draft: AppearanceDraft, { actorId, at }: Actor): Promise<void> {
  const { accent, sections, version } = draft
  const isDefault = sections.every(({ id, isVisible }, index) => isVisible && id === HOME_SECTIONS[index]?.id)
  const labels = NAV_SECTIONS.flatMap(({ id, label }) => {
    const edited = draft.labels[id]
    return edited === '' || edited === label ? [] : [[id, edited]]
  })
  const update = db
    .update(site)
    .set({
      accent,
      sections: isDefault ? null : sections,
      labels: labels.length === 0 ? null : Object.fromEntries(labels),
      updatedAt: at,
      version: nextVersion(site.version),
    })
    .where(isVersion(site.version, version))
  await saveVersioned(db, update, { actorId, action: 'appearance.changed', at })
}

/** All legal texts, including empty ones. */
export async function listLegalTexts(db: Db): Promise<AdminLegalText[]> {
  const rows = await db.select().from(legalTexts)
  return LEGAL_TEXT_IDS.map((id) => {
    const { text = '', version = 0 } = rows.find((row) => row.id === id) ?? {}
    return { id, text, version }
  })
}

/** Saves with an audit entry. Version 0: the text has no row yet. @throws AppError `not_found`, `conflict`. */
export async function saveLegalText(
  db: Db,
  id: string,
  { text, version }: LegalTextDraft,
  { actorId, at }: Actor,
): Promise<void> {
  if (!LEGAL_TEXT_IDS.some((other) => other === id)) throw new AppError('not_found', 'There is no such text.')
  const values = { text, updatedAt: at }
  const write =
    version === 0
      ? db
          .insert(legalTexts)
          .values({ id: id as LegalTextId, ...values })
          .onConflictDoNothing()
      : db
          .update(legalTexts)
          .set({ ...values, version: nextVersion(legalTexts.version) })
          .where(and(eq(legalTexts.id, id as LegalTextId), isVersion(legalTexts.version, version)))
  await saveVersioned(db, write, { actorId, action: 'legal_text.changed', subject: `legal_text:${id}`, at })
}
