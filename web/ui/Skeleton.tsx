import { clsx } from 'clsx'

/** A loading placeholder. `className` sets the size of the content. */
export function Skeleton({ className, label }: { className?: string; label?: string }) {
  return (
    <div className={clsx('skeleton', className)} {...(label && { role: 'status' })}>
      {label && <span className="sr-only">{label}</span>}
    </div>
  )
}
