import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

/** The 404 card; the worker answers with status 404 as well (ruling 14). */
export function NotFoundPage() {
  return (
    <main id="content" tabIndex={-1} className="not-found">
      <div className="not-found-card">
        <div aria-hidden="true" className="disc not-found-disc" />
        <p className="figures not-found-figure foil-text font-display">404</p>
        <h1 className="mt-6 font-display text-2xl">Page Not Found</h1>
        <p className="mt-3 mb-8 max-w-[26rem] text-muted">
          This groove is empty. The address may be misspelled, or the page has moved.
        </p>
        <Link to="/" className={buttonClass('foil')}>
          Back to the home page
        </Link>
      </div>
    </main>
  )
}
