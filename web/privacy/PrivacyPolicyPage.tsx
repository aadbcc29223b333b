import { useQuery } from '@tanstack/react-query'
import { Footer } from '../layout/Footer'
import { calendarDate } from '../lib/format'
import { siteConfig } from '../site/site.queries'
import { InquiryForm } from './InquiryForm'
import { AMENDED_DATE, POLICY_DATE, policyClauses } from './policy'

/** /privacy-policy: also renders before the artist's name has loaded. */
export function PrivacyPolicyPage() {
  const artist = useQuery(siteConfig).data?.artist
  const clauses = policyClauses(artist?.name ?? 'the artist', artist?.links.contact ?? '')
  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <header className="col-span-full mb-10 border-b-4 border-gold pb-8 md:mb-16">
          <h1 className="font-display text-[clamp(2.5rem,1.2rem+5vw,5.25rem)] leading-[0.92]">Privacy Policy</h1>
          <p className="tabular-figures mt-5 font-label text-muted">
            Last updated <time dateTime={POLICY_DATE}>{calendarDate(POLICY_DATE)}</time>
          </p>
          <p className="tabular-figures mt-1 text-sm text-muted">
            Amended <time dateTime={AMENDED_DATE}>{calendarDate(AMENDED_DATE)}</time>
          </p>
        </header>
        <nav aria-labelledby="policy-contents" className="col-span-full mb-4 md:col-span-4 lg:col-span-3">
          <div className="md:sticky md:top-24">
            <h2 id="policy-contents" className="font-label text-gold">
              Contents
            </h2>
            <ol className="mt-3">
              {clauses.map(({ id, title }, index) => (
                <li key={id}>
                  <a href={`#${id}`} className="flex min-h-11 items-center gap-4 hover:text-gold-bright">
                    <span aria-hidden="true" className="tabular-figures w-6 font-label text-muted">
                      {String(index + 1).padStart(2, '0')}
                    </span>
                    {title}
                  </a>
                </li>
              ))}
              <li>
                <a href="#ask" className="flex min-h-11 items-center gap-4 hover:text-gold-bright">
                  <span aria-hidden="true" className="tabular-figures w-6 font-label text-muted">
                    {String(clauses.length + 1).padStart(2, '0')}
                  </span>
                  Ask about your data
                </a>
              </li>
            </ol>
          </div>
        </nav>
        <div className="policy col-span-full md:col-span-8 lg:col-span-8 lg:col-start-5">
          {clauses.map(({ id, title, text }) => (
            <section key={id} id={id} tabIndex={-1} aria-labelledby={`${id}-title`} className="outline-none">
              <h2 id={`${id}-title`}>{title}</h2>
              {text}
            </section>
          ))}
          <section id="ask" tabIndex={-1} aria-labelledby="ask-title" className="outline-none">
            <h2 id="ask-title" className="mb-6">
              Ask about your data
            </h2>
            <InquiryForm />
          </section>
        </div>
      </main>
      <Footer />
    </>
  )
}
