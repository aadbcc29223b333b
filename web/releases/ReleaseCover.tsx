import { clsx } from 'clsx'
import { GLOW_WIDTH, resizedImageUrl } from '../../worker/contract/images'
import { RELEASE_COVER_IMAGE } from '../../worker/contract/releases'
import { ResponsiveImage } from '../ui/ResponsiveImage'

type Props = {
  coverUrl: string
  coverAlt: string
  sizes: string
  eager?: boolean
  spinning?: boolean
  className?: string
}

/** A record sleeve whose record slides out. */
export function ReleaseCover({ coverUrl, coverAlt, sizes, eager = false, spinning = false, className }: Props) {
  const { width, height } = RELEASE_COVER_IMAGE
  return (
    <div className={clsx('sleeve', spinning && 'sleeve-spinning', className)}>
      <div aria-hidden="true" className="sleeve-disc disc" />
      <ResponsiveImage
        src={coverUrl}
        alt={coverAlt}
        width={width}
        height={height}
        sizes={sizes}
        eager={eager}
        className="sleeve-cover"
      />
    </div>
  )
}

/** The blurred cover as a background glow in the release's colors. */
export function CoverGlow({ coverUrl }: { coverUrl: string }) {
  return (
    <div aria-hidden="true" className="cover-glow">
      <img src={resizedImageUrl(coverUrl, GLOW_WIDTH)} alt="" width={GLOW_WIDTH} height={GLOW_WIDTH} loading="lazy" />
    </div>
  )
}
