import { lazy, Suspense } from 'react'
import { useToasts } from './toast'

const ToastViewport = lazy(() => import('./ToastViewport').then((m) => ({ default: m.ToastViewport })))

/** The place where toasts appear. Its code is fetched with the first toast: nobody needs it before. */
export function Toaster() {
  const toasts = useToasts()
  if (toasts.length === 0) return null
  return (
    <Suspense>
      <ToastViewport toasts={toasts} />
    </Suspense>
  )
}
