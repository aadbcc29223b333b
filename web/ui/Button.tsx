import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type ButtonVariant = 'primary' | 'outline' | 'text'

/** Classes of buttons, and of links that look like buttons. */
export function buttonClass(variant: ButtonVariant = 'outline', className?: string): string {
  return clsx(
    'inline-flex min-h-12 items-center justify-center gap-2 rounded-xs font-label text-center transition duration-200 ease-out',
    'disabled:opacity-60 aria-disabled:opacity-60',
    variant === 'primary' && 'border border-transparent bg-gold px-6 text-background hover:bg-gold-bright',
    variant === 'outline' && 'border border-rule-strong px-6 text-ivory hover:border-gold hover:text-gold-bright',
    variant === 'text' && 'px-3 text-muted underline-offset-4 hover:text-ivory hover:underline',
    className,
  )
}

export function Button({
  variant,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />
}
