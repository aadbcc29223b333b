import { Link } from '@tanstack/react-router'
import { NOT_FOUND_TITLE } from '../../worker/contract/errors'
import { Button, buttonClass } from '../ui/Button'
import { usePageTitle } from './page-title'

/** Shown when a page throws. Usually a deployment has replaced the page's lazy-loaded files, so a reload helps. */
export function ErrorPage() {
  return (
    <main id="content" tabIndex={-1} className="error-page">
      <div role="alert" className="error-card">
        <div aria-hidden="true" className="disc error-disc" />
        <h1 className="pt-56 font-display text-2xl">The needle skipped</h1>
        <p className="mt-3 mb-8 max-w-[26rem] text-muted">
          This page could not be loaded. You may be offline, or the site has just been updated.
        </p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </main>
  )
}

/** The worker responds with 404 to the URLs that show this page. */
export function NotFoundPage() {
  usePageTitle(NOT_FOUND_TITLE)
  return (
    <main id="content" tabIndex={-1} className="error-page">
      <div className="error-card">
        <div aria-hidden="true" className="disc error-disc" />
        <p className="tabular-figures error-code foil-text font-display">404</p>
        <h1 className="mt-6 font-display text-2xl">Page Not Found</h1>
        <p className="mt-3 mb-8 max-w-[26rem] text-muted">
          This groove is empty. The address may be misspelled, or the page has moved.
        </p>
        <Link to="/" className={buttonClass('primary')}>
          Back to the home page
        </Link>
      </div>
    </main>
  )
}
