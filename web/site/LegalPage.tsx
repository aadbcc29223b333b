import '../styles/long-text.css'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { LEGAL_TEXTS } from '../../worker/contract/appearance-rules'
import { legalTextsApi } from '../../worker/contract/legal-texts'
import { call, hasStatus } from '../api/call'
import { NotFoundPage } from '../layout/ErrorPage'
import { Footer } from '../layout/Footer'
import { usePageTitle } from '../layout/page-title'
import { QueryBoundary } from '../ui/QueryBoundary'
import { legalTextKey } from './site.queries'

const legalText = (id: string) =>
  queryOptions({ queryKey: legalTextKey(id), queryFn: () => call(legalTextsApi.legalText, { id }) })

export const preloadLegalText = (queryClient: QueryClient, id: string) => queryClient.ensureQueryData(legalText(id))

export const LegalTextTitle = ({ title }: { title: string }) => (
  <header className="col-span-full mb-6 border-b-4 border-gold pb-8">
    <h1 className="font-display text-[clamp(2.5rem,1.2rem+5vw,5.25rem)] leading-[0.92]">{title}</h1>
  </header>
)

export const LegalTextBody = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: `renderPageMarkdown` escapes what the team typed.
  <div className="legal-text" dangerouslySetInnerHTML={{ __html: html }} />
)

/** /legal/{id}: a text that the team wrote, such as the terms of sale. */
export function LegalPage() {
  const { id } = useParams({ from: '/legal/$id' })
  const query = useQuery(legalText(id))
  const title = LEGAL_TEXTS.find((text) => text.id === id)?.title
  usePageTitle(title)
  if (title === undefined || hasStatus(query.error, 404)) return <NotFoundPage />
  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <LegalTextTitle title={title} />
        <div className="long-text col-span-full lg:col-span-8">
          <QueryBoundary
            query={query}
            loading={{ className: 'h-96', label: 'Loading the text' }}
            error="The text could not be loaded."
          >
            {({ html }) => <LegalTextBody html={html} />}
          </QueryBoundary>
        </div>
      </main>
      <Footer />
    </>
  )
}
