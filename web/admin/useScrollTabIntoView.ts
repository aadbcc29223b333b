import { useEffect, useRef } from 'react'

/** On a phone tabs are wider than the screen: the open one is always in sight. For the list of the tabs. */
export function useScrollTabIntoView(open: string) {
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const trigger = tabs.current?.querySelector<HTMLElement>(`[id$="trigger-${open}"]`)
    if (tabs.current && trigger) tabs.current.scrollLeft = trigger.offsetLeft - tabs.current.clientWidth / 3
  }, [open])
  return tabs
}
