import type { Product } from '../../worker/contract/shop'
import { price } from '../lib/money'
import { Picture } from '../ui/Picture'

/** The order as a till receipt beside the picture of what is bought. */
export function OrderSummary({ product, quantity }: { product: Product; quantity: number }) {
  return (
    <section aria-labelledby="order-title" className="receipt">
      <h2 id="order-title" className="font-label">
        Order summary
      </h2>
      <div className="mt-5 grid grid-cols-[5.5rem_1fr] items-start gap-5">
        <Picture
          src={product.imageUrl}
          alt={product.images.find(({ url }) => url === product.imageUrl)?.alt ?? product.name}
          width={1200}
          height={1200}
          sizes="5.5rem"
          className="aspect-square w-full object-cover"
        />
        <div>
          <p className="text-lg leading-tight font-extrabold">{product.name}</p>
          <p className="mt-1.5 text-sm">{product.description}</p>
        </div>
      </div>
      <dl className="figures mt-6">
        <Line term="Quantity" value={String(quantity)} />
        <Line term="Unit price" value={price(product.priceCents)} />
        <div className="flex items-baseline justify-between gap-6 border-t-4 border-ground pt-4">
          <dt className="font-label">Total</dt>
          <dd className="font-display text-[clamp(2.25rem,1.5rem+3vw,3.5rem)] leading-none">
            {price(product.priceCents * quantity)}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Line({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex justify-between gap-6 border-t-2 border-dashed border-ground/40 py-3">
      <dt>{term}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}
