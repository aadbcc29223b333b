import { useQuery } from '@tanstack/react-query'
import { ContentsPage } from '../layout/ContentsPage'
import { formatCalendarDate } from '../lib/format'
import { siteConfig } from '../site/site.queries'
import { InquiryForm } from './InquiryForm'
import { AMENDED_DATE, POLICY_DATE, policyClauses } from './policy'

/** /privacy-policy: also renders before the artist's name has loaded. */
export function PrivacyPolicyPage() {
  const artist = useQuery(siteConfig).data?.artist
  const clauses = policyClauses(artist?.name ?? 'the artist', artist?.links.contact ?? '')
  return (
    <ContentsPage
      title="Privacy Policy"
      intro={
        <>
          <p className="tabular-figures mt-5 font-label text-muted">
            Last updated <time dateTime={POLICY_DATE}>{formatCalendarDate(POLICY_DATE)}</time>
          </p>
          <p className="tabular-figures mt-1 text-sm text-muted">
            Amended <time dateTime={AMENDED_DATE}>{formatCalendarDate(AMENDED_DATE)}</time>
          </p>
        </>
      }
      contents={[...clauses, { id: 'ask', title: 'Ask about your data' }]}
    >
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
    </ContentsPage>
  )
}
