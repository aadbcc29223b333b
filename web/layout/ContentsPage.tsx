import '../styles/long-text.css'
import type { ReactNode } from 'react'
import { Footer } from './Footer'

type Props = {
  title: string
  /** Below the title. */
  intro: ReactNode
  /** Ids and titles of the sections, in order. */
  contents: readonly { id: string; title: string }[]
  children: ReactNode
}

/** A long page of text with its table of contents beside it. */
export const ContentsPage = ({ title, intro, contents, children }: Props) => (
  <>
    <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
      <header className="col-span-full mb-10 border-b-4 border-gold pb-8 md:mb-16">
        <h1 className="font-display text-[clamp(2.5rem,1.2rem+5vw,5.25rem)] leading-[0.92]">{title}</h1>
        {intro}
      </header>
      <nav aria-labelledby="contents" className="col-span-full mb-4 md:col-span-4 lg:col-span-3">
        <div className="md:sticky md:top-24">
          <h2 id="contents" className="font-label text-gold">
            Contents
          </h2>
          <ol className="mt-3">
            {contents.map(({ id, title }, index) => (
              <li key={id}>
                <a href={`#${id}`} className="flex min-h-11 items-center gap-4 hover:text-gold-bright">
                  <span aria-hidden="true" className="tabular-figures w-6 font-label text-muted">
                    {String(index + 1).padStart(2, '0')}
                  </span>
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </div>
      </nav>
      <div className="long-text col-span-full min-w-0 md:col-span-8 lg:col-span-8 lg:col-start-5">{children}</div>
    </main>
    <Footer />
  </>
)
