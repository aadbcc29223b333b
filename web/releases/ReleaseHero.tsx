import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { RELEASE_COVER_IMAGE, RELEASE_KIND_LABEL, type Release } from '../../worker/contract/releases'
import { CoverGlow } from './CoverGlow'
import { ReleaseCover } from './ReleaseCover'
import { titleStyle } from './title-style'

type Props = {
  release: Pick<Release, 'title' | 'kind' | 'coverUrl' | 'coverAlt'>
  /** Date, length and so on, shown after the release's kind. */
  details: ReactNode
  spinning?: boolean
  sideClassName?: string
  children: ReactNode
}

/** The title and cover of a release, with `children` beside the cover. */
export function ReleaseHero({ release, details, spinning, sideClassName, children }: Props) {
  const { title, kind, coverUrl, coverAlt } = release
  return (
    <>
      <CoverGlow coverUrl={coverUrl} />
      <article aria-labelledby="release-title" className="page-grid release-poster">
        <header className="release-header">
          <p className="release-details tabular-figures font-label">
            <span className="text-gold-bright">{RELEASE_KIND_LABEL[kind]}</span>
            {details}
          </p>
          <h1 id="release-title" className="release-title font-display" style={titleStyle(title)}>
            <span className="foil-text">{title}</span>
          </h1>
        </header>
        <ReleaseCover
          coverUrl={coverUrl}
          coverAlt={coverAlt}
          sizes={RELEASE_COVER_IMAGE.sizes}
          eager
          spinning={spinning}
          className="release-sleeve"
        />
        <div className={clsx('release-side', sideClassName)}>{children}</div>
      </article>
    </>
  )
}
