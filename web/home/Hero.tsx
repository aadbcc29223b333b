import { Play } from 'lucide-react'
import type { CSSProperties } from 'react'
import { SectionLink } from '../layout/SectionLink'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { HeroArt } from './HeroArt'
import { nameLines } from './name-size'
import { VoteSeal } from './VoteSeal'

/** The front of the sleeve: the artwork, and the artist's name running off its lower edge. */
export function Hero() {
  const artist = useSite()?.artist
  const lines = nameLines(artist?.name ?? '')
  const widest = Math.max(1, ...lines.map(({ ems }) => ems))
  return (
    <section id="top" aria-labelledby="artist-name" className="hero relative isolate flex flex-col">
      <div className="hero-art absolute inset-x-0 top-0 -z-10 overflow-clip bg-sleeve">
        {artist && <HeroArt artist={artist} />}
      </div>
      <div className="mx-auto flex w-full max-w-page grow flex-col justify-end px-gutter">
        <h1
          id="artist-name"
          className="hero-name font-display"
          style={{ '--widest': widest, '--words': lines.length } as CSSProperties}
        >
          {lines.map(({ word, ems }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may hold a word twice, and its words never move.
            <span key={at} className="block" style={{ '--ems': ems } as CSSProperties}>
              {word}{' '}
            </span>
          ))}
        </h1>
        <div className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-4 pb-3 md:mt-7">
          <p className="grow basis-full text-lg font-medium md:basis-0 md:text-xl">{artist?.tagline ?? '\u00a0'}</p>
          <div className="flex grow flex-wrap gap-3 md:grow-0">
            <SectionLink section="music" className={buttonClass('foil', 'grow px-2! whitespace-nowrap sm:px-8!')}>
              <Play size={18} fill="currentColor" aria-hidden />
              LISTEN NOW
            </SectionLink>
            <SectionLink section="concerts" className={buttonClass('outline', 'grow px-2! whitespace-nowrap sm:px-8!')}>
              GET TICKETS
            </SectionLink>
          </div>
        </div>
      </div>
      {artist && <VoteSeal hashtag={artist.hashtag} />}
    </section>
  )
}
