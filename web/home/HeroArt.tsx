import { buildSrcSet, HERO_IMAGE } from '../../worker/contract/images'
import type { SiteConfig } from '../../worker/contract/site'

/** The artwork behind the name: a tall picture on narrow screens, a wide one elsewhere. The page's head preloads it. */
export function HeroArt({ artist: { heroUrl, heroPortraitUrl, heroAlt } }: { artist: SiteConfig['artist'] }) {
  const { portrait, landscape } = HERO_IMAGE
  return (
    <picture>
      <source
        media={portrait.media}
        srcSet={buildSrcSet(heroPortraitUrl, portrait.widths, portrait.width) ?? heroPortraitUrl}
        sizes="100vw"
        width={portrait.width}
        height={portrait.height}
      />
      <img
        src={heroUrl}
        srcSet={buildSrcSet(heroUrl, landscape.widths, landscape.width) ?? undefined}
        sizes="100vw"
        alt={heroAlt}
        width={landscape.width}
        height={landscape.height}
        fetchPriority="high"
        className="size-full object-cover object-[62%_40%] max-md:object-[50%_18%]"
      />
    </picture>
  )
}
