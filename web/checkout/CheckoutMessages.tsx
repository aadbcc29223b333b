import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button'

type Props = {
  title: string
  text: string
  /** Undefined if retrying cannot help. */
  onRetry?: () => void
  /** Further actions beside Retry. */
  children?: ReactNode
}

export function CheckoutError({ title, text, onRetry, children }: Props) {
  return (
    <div role="alert" className="border-l-4 border-sunset bg-sleeve p-5 md:p-8">
      <h3 className="text-xl font-bold">{title}</h3>
      <p className="mt-2 max-w-prose text-muted">{text}</p>
      {(onRetry || children) && (
        <div className="mt-6 flex flex-wrap gap-4">
          {onRetry && (
            <Button onClick={onRetry}>
              <RotateCcw size={18} aria-hidden />
              Retry
            </Button>
          )}
          {children}
        </div>
      )}
    </div>
  )
}

export function Spinner({ children }: { children: string }) {
  return (
    <p role="status" className="flex min-h-24 items-center gap-4">
      <span aria-hidden="true" className="disc spinner" />
      {children}
    </p>
  )
}
