import { type ComponentType, lazy, useEffect } from 'react'
import { toast } from './toast'

/** A lazy component that the page works without: if its code cannot be loaded, `Fallback` takes its place. */
export const lazyOptional = <Props,>(load: () => Promise<ComponentType<Props>>, Fallback: ComponentType<Props>) =>
  lazy(() =>
    load()
      .catch((error: unknown) => {
        console.warn('A part of the page could not be loaded.', error)
        return Fallback
      })
      .then((Component) => ({ default: Component })),
  )

export const EmptyFallback = () => null

/** `isConfirmed` is for dialogs that report whether the user confirmed; others ignore it. */
type DialogProps = { onClose: (isConfirmed: false) => void }

/** A lazy dialog: if its code cannot be loaded, it closes and a toast offers a reload. */
export const lazyDialog = <Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) =>
  lazyOptional(load, LoadFailure)

/** Usually a deployment has replaced the lazy files of the page, so a reload helps. */
function LoadFailure({ onClose }: DialogProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once each time the dialog opens.
  useEffect(() => {
    toast({
      title: 'That could not be opened',
      text: 'Check your connection, then reload the page.',
      tone: 'destructive',
      action: { label: 'Reload the page', onPress: () => location.reload() },
    })
    onClose(false)
  }, [])
  return null
}
