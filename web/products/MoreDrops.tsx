import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import type { Product } from '../../worker/contract/products'
import { formatPrice } from '../lib/format'
import { subscribedToast, useSubscribe } from '../newsletter/newsletter.queries'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { toast } from '../ui/toast'

/** The mailing list for the next drop, and the other products. */
export function MoreDrops({ products }: { products: readonly Product[] }) {
  return (
    <div className="col-span-full mt-14 border-t border-rule pt-6 lg:col-span-7 lg:mt-20">
      <h3 className="font-display text-2xl">More Drops Coming Soon</h3>
      <p className="mt-3 mb-6 text-muted">Leave your address and hear of the next one first.</p>
      <DropSignup />
      <ul className="mt-8 grid gap-6">
        {products.map((product) => (
          <li key={product.id}>
            <Link
              to="/checkout"
              search={{ product: product.id, quantity: 1 }}
              className="group grid grid-cols-[7.5rem_1fr] items-center gap-5 border border-rule hover:border-gold sm:grid-cols-[13rem_1fr] sm:gap-8"
            >
              <ResponsiveImage
                src={product.imageUrl}
                alt=""
                width={1200}
                height={1200}
                sizes="(width < 40rem) 7.5rem, 13rem"
                className="aspect-square object-cover"
              />
              <span className="py-4 pr-4">
                <span className="block font-display text-lg group-hover:text-gold-bright sm:text-xl">
                  {product.name}
                </span>
                <span className="mt-2 block text-sm text-muted max-sm:hidden">{product.description}</span>
                <span className="figures mt-3 block text-lg font-semibold text-gold-bright">
                  {product.stock > 0 ? formatPrice(product.priceCents) : 'Sold out'}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Subscribes to the newsletter. Ignores an empty field. */
export function DropSignup() {
  const [email, setEmail] = useState('')
  const turnstile = useTurnstile('newsletter')
  const { mutate, isPending } = useSubscribe(turnstile)
  const field = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!email.trim() || isPending) return
    mutate(email, {
      onSuccess: ({ pointsEarned }) => {
        setEmail('')
        toast(subscribedToast(pointsEarned))
      },
      onError: () => toast({ title: 'Error', text: 'Failed to subscribe. Please try again.', tone: 'destructive' }),
    })
  }
  return (
    <form onSubmit={submit} className="max-w-xl">
      <label htmlFor={field} className="mb-2 block font-semibold">
        Email
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={field}
          type="email"
          name="email"
          required
          autoComplete="email"
          placeholder="you@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          className="min-h-12 min-w-56 flex-1 rounded-xs border border-rule-strong bg-sleeve px-4 placeholder:text-muted"
        />
        <Button type="submit" variant="primary" aria-disabled={isPending} className="max-xs:w-full">
          {isPending ? 'Joining...' : 'Notify Me'}
        </Button>
      </div>
      {turnstile.widget}
    </form>
  )
}
