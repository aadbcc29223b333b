import { Suspense } from 'react'
import { lazyOptional } from './lazy'
import { dismiss, TOAST_POSITION_CLASS, type ToastMessage, toastClass, toastTitleClass, useToasts } from './toast'

const ToastViewport = lazyOptional(() => import('./ToastViewport').then((m) => m.ToastViewport), PlainToast)

/** Shows toasts; the viewport's code loads with the first one. */
export function Toaster() {
  const toasts = useToasts()
  return (
    // Without this attribute, a dialog that opens before the first toast would hide toasts from screen readers.
    <div aria-live="off">
      {toasts.length > 0 && (
        <Suspense>
          <ToastViewport toasts={toasts} />
        </Suspense>
      )}
    </div>
  )
}

/** The latest toast, if the viewport's code cannot be loaded. It stays until it is dismissed. */
function PlainToast({ toasts }: { toasts: readonly ToastMessage[] }) {
  const [latest] = toasts
  if (!latest?.open) return null
  const { id, title, text, tone, action } = latest
  const close = () => dismiss(id)
  return (
    <div role="alert" key={id} className={`${TOAST_POSITION_CLASS} ${toastClass(tone)}`}>
      <p className={toastTitleClass(tone)}>{title}</p>
      {text && <p className="col-start-1 text-sm">{text}</p>}
      <div className="col-start-1 flex gap-4">
        {action && (
          <button
            type="button"
            className="min-h-11 underline"
            onClick={() => {
              close()
              action.onPress()
            }}
          >
            {action.label}
          </button>
        )}
        <button type="button" className="min-h-11 underline" onClick={close}>
          Dismiss
        </button>
      </div>
    </div>
  )
}
