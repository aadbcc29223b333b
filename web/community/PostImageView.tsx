import type { PostImage } from '../../worker/contract/community'

type Props = { image: PostImage; maxHeight: string; className: string }

/**
 * A supporter's picture: one file, whatever the screen, so that the moderators have seen what everybody sees. Its place
 * is as large before the file is there as after: `tallest` is a CSS length.
 */
export function PostImageView({ image: { url, alt, width, height }, maxHeight, className }: Props) {
  return (
    <img
      src={url}
      alt={alt}
      width={width}
      height={height}
      style={{
        width: `min(100%, ${width}px, ${maxHeight} * ${width / height})`,
        aspectRatio: `${width} / ${height}`,
        height: 'auto',
      }}
      loading="lazy"
      decoding="async"
      className={className}
    />
  )
}
