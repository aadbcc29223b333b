import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { dismiss, type ToastMessage } from './toast'

/**
 * Radix toasts. Each has its own provider, because a toast dismissed while hovered leaves its provider paused, and the
 * next toast would not close.
 */
export function ToastViewport({ toasts }: { toasts: readonly ToastMessage[] }) {
  return (
    <Toast.Provider key={toasts[0]?.id} duration={5000} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toasts.map(({ id, title, text, tone, action, open }) => (
        <Toast.Root
          key={id}
          open={open}
          type={tone === 'destructive' ? 'foreground' : 'background'}
          onOpenChange={(isOpen) => !isOpen && dismiss(id)}
          className={clsx(
            'toast pointer-events-auto! grid grid-cols-[1fr_auto] items-start gap-x-4 rounded-xs border bg-sleeve-high p-4 pl-5 shadow-[0_12px_40px_oklch(0_0_0/0.6)]',
            tone === 'destructive' ? 'border-sunset' : 'border-gold',
          )}
        >
          <Toast.Title className={clsx('font-semibold', tone === 'destructive' ? 'text-sunset' : 'text-gold-bright')}>
            {title}
          </Toast.Title>
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
        className="toast-viewport fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(var(--bottom-bar)+var(--player-bar)+var(--app-status,0rem)+env(safe-area-inset-bottom)+1rem)] z-50 w-[min(24rem,calc(100vw-2rem))] outline-none md:bottom-[calc(var(--player-bar)+var(--app-status,0rem)+1.5rem)]"
      />
    </Toast.Provider>
  )
}
