import type { SiteConfig } from '../../worker/contract/site'

const LANDSCAPE = [640, 960, 1280, 1600]
const PORTRAIT = [480, 720]

const renditions = (src: string, widths: readonly number[], full: number) =>
  src.startsWith('/media/') ? [...widths.map((w) => `${src}?w=${w} ${w}w`), `${src} ${full}w`].join(', ') : src

/** The artwork behind the name: a tall picture on narrow screens, a wide one elsewhere. */
export function HeroArt({ artist: { heroUrl, heroPortraitUrl, heroAlt } }: { artist: SiteConfig['artist'] }) {
  return (
    <picture>
      <source
        media="(width < 48rem)"
        srcSet={renditions(heroPortraitUrl, PORTRAIT, 1080)}
        sizes="100vw"
        width={1080}
        height={1500}
      />
      <img
        src={heroUrl}
        srcSet={renditions(heroUrl, LANDSCAPE, 2400)}
        sizes="100vw"
        alt={heroAlt}
        width={2400}
        height={1350}
        fetchPriority="high"
        className="size-full object-cover object-[62%_40%] max-md:object-[50%_18%]"
      />
    </picture>
  )
}
