import { Button } from '../ui/Button'

/**
 * In place of a screen that broke. Most often a new version of the site has replaced the files that this one would
 * fetch next; loading the page again is what helps.
 */
export function ErrorPage() {
  return (
    <main id="content" tabIndex={-1} className="not-found">
      <div role="alert" className="not-found-card">
        <div aria-hidden="true" className="disc not-found-disc" />
        <h1 className="pt-56 font-display text-2xl">The needle jumped</h1>
        <p className="mt-3 mb-8 max-w-[26rem] text-muted">
          This page could not be put together. The site may have been updated while you were here.
        </p>
        <Button variant="foil" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </main>
  )
}
