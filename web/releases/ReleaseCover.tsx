import { clsx } from 'clsx'
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
