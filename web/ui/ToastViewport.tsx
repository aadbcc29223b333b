import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { dismiss, TOAST_POSITION_CLASS, type ToastMessage, toastClass, toastTitleClass } from './toast'

/**
 * Radix toasts. The key gives each toast a new provider, because a toast dismissed while hovered leaves its provider
 * paused, and the next toast would not close.
 */
export function ToastViewport({ toasts }: { toasts: readonly ToastMessage[] }) {
  return (
    <Toast.Provider key={toasts[0]?.id} duration={5000} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toasts.map(({ id, title, text, tone, action, open }) => (
        <Toast.Root
          key={id}
          open={open}
          // Longer, so that there is time to press the action.
          duration={action ? 10_000 : undefined}
          type={tone === 'destructive' ? 'foreground' : 'background'}
          onOpenChange={(isOpen) => !isOpen && dismiss(id)}
          className={`toast pointer-events-auto! ${toastClass(tone)}`}
        >
          <Toast.Title className={toastTitleClass(tone)}>{title}</Toast.Title>
          {text && <Toast.Description className="col-start-1 text-sm text-ivory">{text}</Toast.Description>}
          {action && (
            <Toast.Action
              altText={action.label}
              onClick={action.onPress}
              className="col-start-1 mt-2 -mb-2 min-h-11 justify-self-start font-label text-gold-bright underline underline-offset-4 hover:text-ivory"
            >
              {action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label="Dismiss"
            className="col-start-2 row-span-3 row-start-1 -m-3 grid size-12 place-items-center text-muted hover:text-ivory"
          >
            <X size={18} aria-hidden />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        // With this attribute, an open dialog does not hide the toasts from screen readers.
        aria-live="off"
        className={TOAST_POSITION_CLASS}
      />
    </Toast.Provider>
  )
}
