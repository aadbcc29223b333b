import { clsx } from 'clsx'

/** A loading placeholder; give it the size of the content. */
export function Skeleton({ className, label }: { className?: string; label?: string }) {
  return (
    <div className={clsx('skeleton', className)} {...(label && { role: 'status' })}>
      {label && <span className="sr-only">{label}</span>}
    </div>
  )
}
