import { type RefObject, useEffect, useState } from 'react'
import { deviceStorage } from '../../lib/storage'

/** Keyboard shortcuts of a list, as its help shows them. */
export const LIST_SHORTCUTS = [
  { key: 'j', text: 'Next row' },
  { key: 'k', text: 'Previous row' },
  { key: 'Enter', text: 'Open the row' },
  { key: 'x', text: 'Select the row' },
  { key: '/', text: 'Search' },
] as const

const STORAGE_KEY = 'admin.list-keys'

/**
 * Whether single-key shortcuts are on, and a function that saves the choice on this device. Users can turn them off,
 * because speech input can trigger them (WCAG 2.1.4).
 */
export function useShortcutsSetting(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => deviceStorage.read(STORAGE_KEY) !== 'off')
  return [
    isOn,
    (next) => {
      setIsOn(next)
      deviceStorage.write(STORAGE_KEY, next ? 'on' : 'off')
    },
  ]
}

const ROW_SELECTOR = '[data-list-row]'
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
const isDialogOpen = () => document.querySelector('[role=dialog]') !== null

/** Whether the shortcuts are for this list: the one with focus, else the first on the screen. */
const isActiveList = (list: HTMLElement) =>
  list.contains(document.activeElement) ||
  (document.querySelector('[data-admin-list]') === list && !document.activeElement?.closest('[data-admin-list]'))

/** Handles LIST_SHORTCUTS: single keys that focus, open and select the rows of a list, or focus its search. */
export function useListShortcuts(list: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const element = list.current
      if (!element || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || isDialogOpen() || !isActiveList(element)) return
      const rows = [...element.querySelectorAll<HTMLElement>(ROW_SELECTOR)]
      const current = document.activeElement?.closest<HTMLElement>(ROW_SELECTOR) ?? null
      const index = current ? rows.indexOf(current) : -1
      switch (event.key) {
        case 'j':
          rows[Math.min(index + 1, rows.length - 1)]?.focus()
          break
        case 'k':
          rows[Math.max(index - 1, 0)]?.focus()
          break
        case 'x':
          current?.querySelector<HTMLElement>('[data-select-row]')?.click()
          break
        case 'Enter':
          // A focused link or button in the row handles the key itself.
          if (document.activeElement !== current) return
          current?.querySelector<HTMLElement>('[data-open-row]')?.click()
          break
        case '/':
          element.querySelector<HTMLElement>('input[type=search]')?.focus()
          break
        default:
          return
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list, isOn])
}
