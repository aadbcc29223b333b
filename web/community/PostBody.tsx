import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LinkPreview, Post, PostImage } from '../../worker/contract/community'
import { findLinks } from '../../worker/contract/links'
import { AvifSource, placeholderStyle } from '../ui/ResponsiveImage'

/** The author's initial and name, and the day of the post. */
export function PostAuthor({ author, createdAt, day }: { author: string; createdAt: string; day: string }) {
  return (
    <p className="flex items-center gap-3">
      <span aria-hidden="true" className="post-initial font-display">
        {author.slice(0, 1)}
      </span>
      <span className="min-w-0 font-semibold wrap-anywhere">{author}</span>
      <time dateTime={createdAt} className="tabular-figures ml-auto shrink-0 text-sm text-muted">
        {day}
      </time>
    </p>
  )
}

/** A post's text, image and link preview. */
export function PostBody({ post: { text, picture, preview } }: { post: Pick<Post, 'text' | 'picture' | 'preview'> }) {
  return (
    <>
      <p className="mt-3 whitespace-pre-line wrap-anywhere">
        <LinkedText text={text} />
      </p>
      {picture && <PostImageView image={picture} maxHeight="min(36rem, 80svh)" className="mt-4 bg-sleeve" />}
      {preview && <LinkPreviewCard preview={preview} />}
    </>
  )
}

/** Text with its http and https URLs as links. A link shows its host, so that it cannot look like another site. */
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
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}

/** `maxHeight` is a CSS length. */
type ImageProps = { image: PostImage; maxHeight: string; className: string }

/** A post's image. It has one stored size, so that admins see the file that all users see. */
export function PostImageView({ image: { url, alt, width, height }, maxHeight, className }: ImageProps) {
  return (
    <picture>
      <AvifSource src={url} widths={[]} width={width} />
      <img
        src={url}
        alt={alt}
        width={width}
        height={height}
        style={{
          ...placeholderStyle(url),
          width: `min(100%, ${width}px, ${maxHeight} * ${width / height})`,
          aspectRatio: `${width} / ${height}`,
          height: 'auto',
        }}
        loading="lazy"
        decoding="async"
        className={className}
      />
    </picture>
  )
}

function LinkPreviewCard({ preview: { url, title, description, site } }: { preview: LinkPreview }) {
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
