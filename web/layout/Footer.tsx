import { Link } from '@tanstack/react-router'
import { type CSSProperties, useId, useState } from 'react'
import { useSite } from '../site/site.queries'
import { SectionLink } from './sections'

const COLUMNS = [
  {
    title: 'Music',
    links: [
      ['Latest Releases', 'music'],
      ['Supporter Hub', 'smart-features'],
    ],
  },
  {
    title: 'Live',
    links: [
      ['Live Shows', 'concerts'],
      ['Hall of Fame', 'hall-of-fame'],
      ['Community Voting', 'community-voting'],
    ],
  },
  {
    title: 'Store',
    links: [
      ['Merch Store', 'merch'],
      ['The Zone', 'exclusive'],
    ],
  },
] as const

export function Footer() {
  const artist = useSite()?.artist
  return (
    <footer className="footer">
      <div className="page-grid">
        <HiddenLyric lyric={artist?.lyric ?? ''} />
        <nav aria-label="Footer" className="footer-columns">
          {COLUMNS.map(({ title, links }) => (
            <div key={title}>
              <h2 className="font-label text-gold">{title}</h2>
              <ul className="mt-2">
                {links.map(([label, hash]) => (
                  <li key={hash}>
                    <SectionLink section={hash} className="footer-link">
                      {label}
                    </SectionLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <div>
            <h2 className="font-label text-gold">{artist?.city ?? 'Here'}</h2>
            <ul className="mt-2">
              {artist?.links.contact && (
                <li>
                  <a href={artist.links.contact} target="_blank" rel="noreferrer" className="footer-link">
                    Contact
                  </a>
                </li>
              )}
              <li>
                <Link to="/privacy-policy" className="footer-link">
                  Privacy Policy
                </Link>
              </li>
            </ul>
          </div>
        </nav>
      </div>
      {artist && (
        <div
          aria-hidden="true"
          data-name={artist.name}
          className="footer-name font-display"
          style={{ '--letters': artist.name.length } as CSSProperties}
        />
      )}
    </footer>
  )
}

/** A button that reveals a hidden lyric and dispatches `easter-egg` on window with it. Empty without a lyric. */
export function HiddenLyric({ lyric }: { lyric: string }) {
  const lyricId = useId()
  const [isRevealed, setRevealed] = useState(false)
  if (lyric === '') return null
  return (
    <div className="hidden-lyric">
      <button
        type="button"
        className="hidden-lyric-button"
        aria-expanded={isRevealed}
        aria-controls={lyricId}
        onClick={() => {
          setRevealed(true)
          window.dispatchEvent(new CustomEvent('easter-egg', { detail: { lyric } }))
        }}
      >
        Run-out groove, side A
      </button>
      <p id={lyricId} aria-live="polite" className="hidden-lyric-text">
        {isRevealed && <span className="foil-text font-display">{lyric}</span>}
      </p>
    </div>
  )
}
