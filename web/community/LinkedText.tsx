import { Fragment, type ReactNode } from 'react'
import { findLinks } from '../../worker/contract/community'

/**
 * Text with its web addresses as links that show where they lead: the host, and nothing fetched from it. Only http and
 * https become links; everything else stays text.
 */
export function LinkedText({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { url, from, to } of findLinks(text)) {
    parts.push(
      text.slice(end, from),
      <a
        key={from}
        href={url.href}
        target="_blank"
        rel="nofollow ugc noreferrer"
        title={url.href}
        className="text-gold underline underline-offset-4 hover:text-gold-bright"
      >
        {url.host}
      </a>,
    )
    end = to
  }
  return <Fragment>{[...parts, text.slice(end)]}</Fragment>
}
