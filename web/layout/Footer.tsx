import { Link } from '@tanstack/react-router'
import { type CSSProperties, useId, useState } from 'react'
import { LEGAL_TEXTS } from '../../worker/contract/appearance-rules'
import { useAppearance, useSite } from '../site/site.queries'
import { SectionLink } from './SectionLink'

/** `hash` is the target of a link, `section` the home page section that contains it. */
const LINK_COLUMNS = [
  {
    title: 'Music',
    links: [
      { label: 'Latest Releases', hash: 'music', section: 'music' },
      { label: 'Supporter Hub', hash: 'smart-features', section: 'smart-features' },
    ],
  },
  {
    title: 'Live',
    links: [
      { label: 'Live Shows', hash: 'concerts', section: 'concerts' },
      { label: 'Hall of Fame', hash: 'hall-of-fame', section: 'concerts' },
      { label: 'Community Voting', hash: 'community-voting', section: 'smart-features' },
    ],
  },
  {
    title: 'Store',
    links: [
      { label: 'Merch Store', hash: 'merch', section: 'merch' },
      { label: 'The Zone', hash: 'exclusive', section: 'exclusive' },
    ],
  },
] as const

export function Footer() {
  const artist = useSite()?.artist
  const { sections, legal } = useAppearance()
  const columns = LINK_COLUMNS.map(({ title, links }) => ({
    title,
    links: links.filter(({ section }) => sections.includes(section)),
  })).filter(({ links }) => links.length > 0)
  return (
    <footer className="footer">
      <div className="page-grid">
        <HiddenLyric lyric={artist?.lyric ?? ''} />
        <nav aria-label="Footer" className="footer-columns">
          {columns.map(({ title, links }) => (
            <div key={title}>
              <h2 className="font-label text-gold">{title}</h2>
              <ul className="mt-2">
                {links.map(({ label, hash }) => (
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
              {LEGAL_TEXTS.filter(({ id }) => legal.includes(id)).map(({ id, title }) => (
                <li key={id}>
                  <Link to="/legal/$id" params={{ id }} className="footer-link">
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        </nav>
      </div>
      {artist && (
        <div
          aria-hidden="true"
          data-name={artist.name}
          className="footer-name font-display"
          style={{ '--characters': artist.name.length } as CSSProperties}
        />
      )}
    </footer>
  )
}

/** A button that reveals the lyric and dispatches it as an `easter-egg` event on window; null without a lyric. */
export function HiddenLyric({ lyric }: { lyric: string }) {
  const lyricId = useId()
  const [isRevealed, setIsRevealed] = useState(false)
  if (lyric === '') return null
  return (
    <div className="hidden-lyric">
      <button
        type="button"
        className="hidden-lyric-button"
        aria-expanded={isRevealed}
        aria-controls={lyricId}
        onClick={() => {
          setIsRevealed(true)
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
