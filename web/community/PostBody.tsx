import { ExternalLink } from 'lucide-react'
import type { LinkPreview, Post } from '../../worker/contract/community'
import { LinkedText } from './LinkedText'
import { PostImageView } from './PostImageView'

/** What a post says and shows: its words, its picture, and what the page behind its link says of itself. */
export function PostBody({ post: { text, picture, preview } }: { post: Pick<Post, 'text' | 'picture' | 'preview'> }) {
  return (
    <>
      <p className="mt-2 whitespace-pre-line wrap-anywhere">
        <LinkedText text={text} />
      </p>
      {picture && <PostImageView image={picture} maxHeight="min(36rem, 80svh)" className="mt-4 bg-sleeve" />}
      {preview && <PagePreview preview={preview} />}
    </>
  )
}

/** Words alone, of somebody unknown: where they lead is said by the address, not by the page. */
function PagePreview({ preview: { url, title, description, site } }: { preview: LinkPreview }) {
  const { host } = new URL(url)
  return (
    <a
      href={url}
      target="_blank"
      rel="nofollow ugc noreferrer"
      className="group mt-4 grid gap-1 border border-rule bg-sleeve p-4 wrap-anywhere hover:border-gold"
    >
      <span className="flex items-center gap-2 text-sm text-muted">
        <ExternalLink size={16} aria-hidden className="shrink-0" />
        {host}
        {site !== '' && site !== host && ` · ${site}`}
      </span>
      <span className="font-semibold group-hover:text-gold-bright">{title}</span>
      {description !== '' && <span className="line-clamp-3 text-sm text-muted">{description}</span>}
    </a>
  )
}
