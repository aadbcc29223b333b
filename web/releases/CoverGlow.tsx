import { GLOW_WIDTH, resizedImageUrl } from '../../worker/contract/images'

/** The blurred cover as a background glow in the release's colors. */
export function CoverGlow({ coverUrl }: { coverUrl: string }) {
  return (
    <div aria-hidden="true" className="cover-glow">
      <img src={resizedImageUrl(coverUrl, GLOW_WIDTH)} alt="" width={GLOW_WIDTH} height={GLOW_WIDTH} loading="lazy" />
    </div>
  )
}
