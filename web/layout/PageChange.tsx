import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { NOT_FOUND_TITLE } from '../../worker/contract/errors'
import { documentTitle, findPage, PAGE_TITLES } from '../../worker/contract/pages'
import { reportPageVisit } from '../offline/messages'
import { useSite } from '../site/site.queries'
import { useRecordTitle } from './page-title'

/** The title can change while a page loads its record; the delay announces only the last title. */
const ANNOUNCEMENT_DELAY_MS = 400

/**
 * After client navigation: sets the document title, announces it, moves focus to the page's heading and reports the
 * visit to the service worker.
 */
export function PageChange() {
  const site = useSite()
  const recordTitle = useRecordTitle()
  const pathname = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  })
  const page = findPage(pathname)
  const title = site && documentTitle(recordTitle ?? (page ? PAGE_TITLES[page] : NOT_FOUND_TITLE), site.artist)
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    if (!title) return
    document.title = title
    const timer = setTimeout(() => setAnnounced(title), ANNOUNCEMENT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new path is a visit.
  useEffect(reportPageVisit, [pathname])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page has its heading only once its title is set.
  useEffect(focusHeading, [pathname, title])
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  )
}

/** Focuses the page's heading, unless the page has focused a field or the URL has a hash. */
function focusHeading(): void {
  const content = document.getElementById('content')
  const focused = document.activeElement
  // An open menu would close if the focus left it.
  const isMenuOpen = document.querySelector('header [aria-expanded=true]') !== null
  if (!content || location.hash || isMenuOpen || (focused !== content && content.contains(focused))) return
  const heading = content.querySelector('h1')
  if (heading) heading.tabIndex = -1
  ;(heading ?? content).focus({ preventScroll: true })
}
