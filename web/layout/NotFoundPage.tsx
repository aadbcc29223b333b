import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

/** The 404 card; the worker answers with status 404 as well (ruling 14). */
export function NotFoundPage() {
  return (
    <main id="content" className="grid min-h-dvh place-items-center p-6">
      <div className="w-full max-w-xl border border-rule bg-sleeve p-8 md:p-12">
        <p className="figures font-label text-gold">404</p>
        <h1 className="mt-4 font-display text-2xl">Page Not Found</h1>
        <p className="mt-4 mb-8 text-muted">
          This groove is empty. The address may be misspelled, or the page has moved.
        </p>
        <Link to="/" className={buttonClass('foil')}>
          Back to the home page
        </Link>
      </div>
    </main>
  )
}
