import { clsx } from 'clsx'

/** Keeps the place of what is being fetched: give it the size of what will come. `label` is spoken once. */
export function Skeleton({ className, label }: { className?: string; label?: string }) {
  return (
    <div className={clsx('skeleton', className)} {...(label && { role: 'status' })}>
      {label && <span className="sr-only">{label}</span>}
    </div>
  )
}
