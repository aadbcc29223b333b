import type { CartQuote } from '../../worker/contract/cart'
import '../styles/utilities.css'
import { Link, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MAX_LINE_QUANTITY } from '../../worker/contract/checkout'
import { taxLabel } from '../../worker/contract/pricing'
import { formatCents, formatCountOf, formatPrice, getCurrency, parseCents } from '../lib/format'
import { useProducts } from '../products/products.queries'
import { Button, buttonClass } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/Field'
import { LoadError } from '../ui/LoadError'
import { QuantityStepper } from '../ui/QuantityStepper'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { Skeleton } from '../ui/Skeleton'
import { CartPromotionCode } from './CartPromotionCode'
import { type QuotedLine, useCartQuote } from './cart.queries'
import { removeLine, type StoredLine, setPrice, setQuantity, undoRemove, useCart } from './cart-store'
import { chosenPriceError } from './chosen-price'
import { lineName } from './reconcile'

/** The cart in a drawer at the right edge, on phones at the bottom. */
export function CartDrawer({ onClose }: { onClose: () => void }) {
  const { lines, removed } = useCart()
  const products = useProducts().data
  const { query, quote, isCurrent, notices } = useCartQuote()
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const quotedLineOf = (line: StoredLine) => quote?.lines.find(({ variantId }) => variantId === line.variantId)
  const rows = lines.map((line) => (
    <CartRow
      key={line.variantId}
      line={line}
      quoted={quotedLineOf(line)}
      slug={line.seen?.slug || products?.find(({ id }) => id === quotedLineOf(line)?.productId)?.slug}
      onLeave={onClose}
    />
  ))
  if (removed) rows.splice(removed.index, 0, <RemovedRow key="removed" line={removed.line} />)
  return (
    <Dialog title="Your cart" onClose={onClose} className="cart-drawer">
      <header className="border-b border-rule px-5 pt-6 pb-4 sm:px-7">
        <h2 className="mr-12 font-display text-xl">Your cart</h2>
        <p className="tabular-figures mt-1 text-sm text-muted">
          {count > 0 ? formatCountOf(count, 'item') : 'Nothing in it yet'}
        </p>
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain px-5 sm:px-7">
        <div role="status">
          {notices.map(({ variantId, text }) => (
            <p key={variantId} className="mt-4 border-l-4 border-gold bg-sleeve-high p-3 text-sm">
              {text}
            </p>
          ))}
        </div>
        {rows.length > 0 ? <ul>{rows}</ul> : <EmptyCart onLeave={onClose} />}
        {query.isError && (
          <div className="py-4">
            <LoadError onRetry={() => void query.refetch()} retrying={query.isFetching}>
              Prices and stock could not be checked. Your cart is still here.
            </LoadError>
          </div>
        )}
      </div>
      {lines.length > 0 && <CartFooter lines={lines} quote={quote} isCurrent={isCurrent} onLeave={onClose} />}
    </Dialog>
  )
}

type RowProps = {
  line: StoredLine
  quoted: QuotedLine | undefined
  /** Slug of the product's page, if known. */
  slug: string | undefined
  onLeave: () => void
}

function CartRow({ line, quoted, slug, onLeave }: RowProps) {
  const product = quoted ?? line.seen
  if (!product) return <Skeleton className="my-5 h-24" label="Loading a line of your cart" />
  const name = lineName(product)
  const available = quoted?.available ?? null
  const isLineSoldOut = isSoldOut(quoted)
  const unitPriceCents = unitPriceCentsOf(line, quoted)
  return (
    <li className="grid grid-cols-[5rem_1fr] gap-4 border-b border-rule py-5 last:border-b-0">
      <div>
        <ResponsiveImage
          src={product.imageUrl}
          alt=""
          sizes="5rem"
          className="aspect-square w-full rounded-xs object-cover"
        />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex items-start justify-between gap-4">
          <p className="min-w-0 leading-snug">
            {slug ? (
              <Link
                to="/merch/$product"
                params={{ product: slug }}
                onClick={onLeave}
                className="font-semibold wrap-anywhere hover:text-gold-bright"
              >
                {product.productName}
              </Link>
            ) : (
              <span className="font-semibold wrap-anywhere">{product.productName}</span>
            )}
            {product.variantName && <span className="block text-sm text-muted">{product.variantName}</span>}
          </p>
          <p className="tabular-figures shrink-0 font-semibold">{formatPrice(unitPriceCents * line.quantity)}</p>
        </div>
        {isLineSoldOut ? (
          <p className="text-sm text-sunset">Sold out while it was in your cart. Remove it to check out.</p>
        ) : (
          available !== null && available <= 3 && <p className="text-sm text-gold-bright">Only {available} left</p>
        )}
        {quoted && quoted.minimumCents !== null && (
          <PriceField
            key={unitPriceCents}
            name={name}
            variantId={line.variantId}
            cents={unitPriceCents}
            minimumCents={quoted.minimumCents}
          />
        )}
        <div className="flex items-center justify-between gap-4">
          {isLineSoldOut ? (
            <span />
          ) : (
            <QuantityStepper
              isCompact
              productName={name}
              quantity={line.quantity}
              max={Math.min(MAX_LINE_QUANTITY, available ?? MAX_LINE_QUANTITY)}
              onChange={(quantity) => setQuantity(line.variantId, quantity)}
            />
          )}
          <button
            type="button"
            aria-label={`Remove ${name}`}
            data-remove={line.variantId}
            onClick={() => removeLine(line.variantId)}
            className="-mr-3 grid size-12 place-items-center text-muted hover:text-sunset"
          >
            <Trash2 size={20} aria-hidden />
          </button>
        </div>
      </div>
    </li>
  )
}

/** Shown in place of a removed line. Focuses its button, because the line's focused button is gone. */
function RemovedRow({ line }: { line: StoredLine }) {
  const undo = useRef<HTMLButtonElement>(null)
  useEffect(() => undo.current?.focus(), [])
  const restore = () => {
    flushSync(undoRemove)
    document.querySelector<HTMLElement>(`[data-remove="${CSS.escape(line.variantId)}"]`)?.focus()
  }
  return (
    <li className="flex min-h-16 items-center justify-between gap-4 border-b border-rule py-2 last:border-b-0">
      <p role="status" className="min-w-0 text-sm text-muted wrap-anywhere">
        {line.seen ? lineName(line.seen) : 'A product'} removed
      </p>
      <button
        ref={undo}
        type="button"
        onClick={restore}
        className="-mr-2 min-h-12 px-2 font-semibold text-gold-bright underline underline-offset-4 hover:text-ivory"
      >
        Undo
      </button>
    </li>
  )
}

function EmptyCart({ onLeave }: { onLeave: () => void }) {
  return (
    <div className="py-10">
      <p className="text-lg">Your cart is empty.</p>
      <p className="mt-2 text-muted">What you add in the store waits here, also after you close the page.</p>
      <Link to="/merch" onClick={onLeave} className={buttonClass('primary', 'mt-6')}>
        See the merch
      </Link>
    </div>
  )
}

const isSoldOut = (quoted: QuotedLine | undefined): boolean =>
  typeof quoted?.available === 'number' && quoted.available <= 0

const unitPriceCentsOf = (line: StoredLine, quoted: QuotedLine | undefined): number =>
  quoted?.unitPriceCents ?? line.unitPriceCents ?? line.seen?.priceCents ?? 0

type FooterProps = {
  lines: readonly StoredLine[]
  quote: CartQuote | undefined
  /** Whether the quote is for the current lines. */
  isCurrent: boolean
  onLeave: () => void
}

function CartFooter({ lines, quote, isCurrent, onLeave }: FooterProps) {
  const navigate = useNavigate()
  const quotedLineOf = ({ variantId }: StoredLine) => quote?.lines.find((each) => each.variantId === variantId)
  const hasSoldOut = lines.some((line) => isSoldOut(quotedLineOf(line)))
  const hasShippedLine = !isCurrent || (quote?.lines.some(({ kind }) => kind === 'shipped') ?? true)
  const subtotalCents = lines.reduce((sum, line) => sum + unitPriceCentsOf(line, quotedLineOf(line)) * line.quantity, 0)
  const discountCents = isCurrent ? (quote?.breakdown.discountCents ?? 0) : 0
  return (
    <footer className="border-t border-rule-strong px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:px-7">
      <CartPromotionCode quote={isCurrent ? quote : undefined} />
      {discountCents > 0 && (
        <p className="tabular-figures mt-2 flex items-baseline justify-between gap-4">
          <span className="text-sm text-muted">Promotion {quote?.discountCode}</span>
          <span className="font-semibold">−{formatPrice(discountCents)}</span>
        </p>
      )}
      <p className="mt-2 flex items-baseline justify-between gap-4">
        <span className="font-label text-muted">Subtotal</span>
        <span aria-live="polite" className="tabular-figures font-display text-xl text-gold-bright">
          {formatPrice(subtotalCents - discountCents)}
        </span>
      </p>
      <p className="mt-1 text-sm text-muted">
        {quote?.tax && quote.breakdown.taxIncluded && isCurrent
          ? `${taxLabel(quote.tax, true)}.${hasShippedLine ? ' Shipping is added at checkout, before you pay.' : ''}`
          : `${hasShippedLine ? 'Shipping and tax are' : 'Tax is'} added at checkout, before you pay.`}
      </p>
      {hasSoldOut && (
        <p role="status" className="mt-3 text-sm text-sunset">
          Remove what is sold out, then check out.
        </p>
      )}
      <div className="mt-4 grid gap-2">
        <Button
          variant="primary"
          aria-disabled={hasSoldOut}
          onClick={() => {
            if (hasSoldOut) return
            onLeave()
            void navigate({ to: '/checkout', search: { cart: true } })
          }}
          className="min-h-14"
        >
          Check out
        </Button>
        <Button variant="text" onClick={onLeave}>
          Keep browsing
        </Button>
      </div>
    </footer>
  )
}

type PriceFieldProps = { name: string; variantId: string; cents: number; minimumCents: number }

/** Input for the unit price of a pay-what-you-want line. */
function PriceField({ name, variantId, cents, minimumCents }: PriceFieldProps) {
  const [text, setText] = useState(() => formatCents(cents))
  const [error, setError] = useState<string | null>(null)
  const isChanged = parseCents(text) !== cents
  function save(event: FormEvent) {
    event.preventDefault()
    const chosen = parseCents(text)
    const problem = chosenPriceError(chosen, minimumCents)
    setError(problem)
    if (problem === null && chosen !== null) setPrice(variantId, chosen)
  }
  return (
    <form noValidate onSubmit={save} className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-3">
      <TextField
        className="w-full max-w-60"
        label="Your price"
        aria-label={`Your price for ${name}`}
        inputMode="decimal"
        autoComplete="off"
        required
        after={<span className="font-label text-muted">{getCurrency()}</span>}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setError(null)
        }}
        hint={`At least ${formatPrice(minimumCents)}`}
        error={error ?? undefined}
      />
      {isChanged && (
        <Button type="submit" className="px-4">
          Update
        </Button>
      )}
    </form>
  )
}
