import { Fragment, type ReactNode } from 'react'

// Ends before what closes a sentence or a bracket around it.
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

/**
 * Text with its web addresses as links that show where they lead: the host, and nothing fetched from it. Only http and
 * https become links; everything else stays text.
 */
export function LinkedText({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(LINK)) {
    const url = parsed(address)
    if (!url) continue
    parts.push(
      text.slice(end, index),
      <a
        key={index}
        href={url.href}
        target="_blank"
        rel="nofollow ugc noreferrer"
        title={url.href}
        className="text-gold underline underline-offset-4 hover:text-gold-bright"
      >
        {url.host}
      </a>,
    )
    end = index + address.length
  }
  return <Fragment>{[...parts, text.slice(end)]}</Fragment>
}

/** Null for what no browser opens, and for an address that hides where it leads behind a name. */
function parsed(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url && url.username === '' && url.password === '' ? url : null
}
