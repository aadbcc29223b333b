import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type ButtonVariant = 'foil' | 'outline' | 'quiet'

/**
 * The one look of everything that is pressed: 48 px high, square corners, expanded letters. Gold is flat here: the foil
 * gradient is for large shapes.
 */
export function buttonClass(variant: ButtonVariant = 'outline', className?: string): string {
  return clsx(
    'inline-flex min-h-12 items-center justify-center gap-2 rounded-xs font-label text-center transition duration-200 ease-out',
    'disabled:opacity-60 aria-disabled:opacity-60',
    variant === 'foil' && 'border border-transparent bg-gold px-6 text-ground hover:bg-gold-bright',
    variant === 'outline' && 'border border-rule-strong px-6 text-ivory hover:border-gold hover:text-gold-bright',
    variant === 'quiet' && 'px-3 text-muted underline-offset-4 hover:text-ivory hover:underline',
    className,
  )
}

/** A button. Links that look like one use `buttonClass`. */
export function Button({
  variant,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />
}
