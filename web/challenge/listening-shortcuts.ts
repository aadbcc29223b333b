import { useEffect, useEffectEvent } from 'react'

/** Keyboard shortcuts of the listening queue, for its help text. */
export const LISTENING_SHORTCUTS = [
  { keys: 'Space', text: 'Play or pause' },
  { keys: '1 to 5', text: 'Rate' },
  { keys: 'f', text: 'Pick as finalist' },
  { keys: 's', text: 'Skip: hear it again at the end' },
  { keys: 'j', text: 'Next verse' },
  { keys: 'k', text: 'Previous verse' },
] as const

export type ListeningAction = 'play' | 'pick' | 'skip' | 'next' | 'previous' | { rate: number }

const ACTION_BY_KEY: Readonly<Record<string, ListeningAction>> = {
  ' ': 'play',
  f: 'pick',
  s: 'skip',
  j: 'next',
  k: 'previous',
}

const TEXT_FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
const SPACE_BAR_CONTROLS = 'button, a, input, summary, [role=slider]'

/** Whether the focused element handles the key itself; buttons and links handle only the space bar. */
function handlesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.closest(key === ' ' ? `${TEXT_FIELDS}, ${SPACE_BAR_CONTROLS}` : TEXT_FIELDS) !== null
}

/** Calls `onAction` for shortcuts, except in text fields and while a dialog is open. */
export function useListeningShortcuts(isEnabled: boolean, onAction: (action: ListeningAction) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    const action = /^[1-5]$/.test(event.key) ? { rate: Number(event.key) } : ACTION_BY_KEY[event.key]
    if (action === undefined || handlesKey(event.target, event.key) || document.querySelector('[role=dialog]')) return
    event.preventDefault()
    onAction(action)
  })
  useEffect(() => {
    if (!isEnabled) return
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [isEnabled])
}
