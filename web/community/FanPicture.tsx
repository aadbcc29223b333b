import { clsx } from 'clsx'
import type { PostPicture } from '../../worker/contract/community'

/** A supporter's picture: one file, whatever the screen, so that the moderators have seen what everybody sees. */
export function FanPicture({ picture, className }: { picture: PostPicture; className: string }) {
  const { url, alt, width, height } = picture
  return (
    <img
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className={clsx('max-w-full', className)}
    />
  )
}
