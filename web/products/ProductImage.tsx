import { PRODUCT_IMAGE } from '../../worker/contract/products'
import { ResponsiveImage } from '../ui/ResponsiveImage'

type ProductImageProps = { src: string; alt: string; sizes: string; eager?: boolean }

/** Square image; an empty frame for a product without one. */
export function ProductImage({ src, alt, sizes, eager }: ProductImageProps) {
  const { width, height } = PRODUCT_IMAGE
  if (!src) return <span aria-hidden="true" className="merch-image block" />
  return <ResponsiveImage {...{ src, alt, width, height, sizes, eager }} className="merch-image" />
}
