import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { TeamRole } from '../../worker/contract/endpoint'

const loadPalette = () => import('./CommandPalette')
const CommandPalette = lazy(() => loadPalette().then((code) => ({ default: code.CommandPalette })))

/** Opens the command palette, also with Ctrl-K. */
export function SearchButton({ role }: { role: TeamRole | null }) {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifiers = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (event.key.toLowerCase() !== 'k' || !hasModifiers) return
      event.preventDefault()
      // The palette navigates, which would discard an open form.
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) setIsOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadPalette()}
        onClick={() => setIsOpen(true)}
        className="flex min-h-11 min-w-11 items-center justify-center gap-3 text-sm font-medium text-muted hover:text-gold-bright md:min-w-56 md:justify-start md:border md:border-rule md:px-3"
      >
        <Search size={18} aria-hidden />
        <span className="max-md:sr-only md:flex-1 md:text-left">Search</span>
        <span aria-hidden="true" className="text-xs max-md:hidden">
          Ctrl K
        </span>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette role={role} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
