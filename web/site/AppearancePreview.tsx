import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import { AppearanceDraft, accentProperties } from '../../worker/contract/appearance'
import { NAV_SECTIONS } from '../../worker/contract/home-sections'
import { resizedImageUrl } from '../../worker/contract/images'
import { sectionTitle } from './SectionsField'
import { navSections, useSite } from './site.queries'

/** A small home page with the draft's colors, order and labels. */
export function AppearancePreview({ draft }: { draft: AppearanceDraft }) {
  const artist = useSite()?.artist
  const visible = draft.sections.filter(({ isVisible }) => isVisible)
  // Shows gold instead of an unreadable or incomplete color.
  const { accent } = AppearanceDraft.shape.accent.safeParse(draft.accent).success ? draft : { accent: null }
  const style = (accent ? accentProperties(accent.toLowerCase()) : {}) as CSSProperties
  const nav = navSections(
    visible.map(({ id }) => id),
    draft.labels,
  )
  return (
    <aside aria-label="Preview" className="min-w-0">
      <p className="font-label text-muted">Preview</p>
      <div style={style} className="sticky top-24 mt-2 overflow-clip border border-rule bg-background">
        <div className="flex items-center gap-3 border-b border-rule px-4 py-3 text-[0.6875rem]">
          <span className="mr-auto truncate font-display">{artist?.name}</span>
          <span className="border border-gold px-2 py-1 text-gold-bright">Sign Up / Login</span>
        </div>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 border-b border-rule px-4 py-2 text-xs">
          {nav.map(({ id, label }, index) => (
            <li key={id} className={clsx('min-w-0 truncate', index === 0 && 'text-gold-bright')}>
              {label}
            </li>
          ))}
        </ul>
        {artist && (
          <div className="relative">
            <img
              src={resizedImageUrl(artist.heroUrl, 640)}
              alt=""
              width={640}
              height={360}
              className="aspect-video w-full object-cover opacity-80"
            />
            <div className="absolute inset-x-4 bottom-4">
              <p className="font-display text-xl leading-none foil-text">{artist.name}</p>
              <p className="mt-2 truncate text-xs">{artist.tagline}</p>
              <span className="mt-3 inline-block bg-gold px-3 py-2 font-label text-background text-[0.6875rem]">
                LISTEN NOW
              </span>
            </div>
          </div>
        )}
        <ol className="px-4 pb-4">
          {visible.map(({ id }, index) => (
            <li key={id} className="border-t border-rule pt-3 pb-4 first:border-t-0">
              {NAV_SECTIONS.some((other) => other.id === id) && (
                <span className="tabular-figures font-label text-[0.6875rem] text-gold">
                  {String(index + 1).padStart(2, '0')}
                </span>
              )}
              <p className="font-display text-lg leading-tight">{sectionTitle(id)}</p>
            </li>
          ))}
        </ol>
      </div>
    </aside>
  )
}
