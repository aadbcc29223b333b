import { clsx } from 'clsx'
import { Tabs } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  label: string
  tabs: readonly { id: string; label: ReactNode }[]
  openId: string
  className?: string
}

/** The tabs of an admin screen, inside `Tabs.Root`. Scrolls to the open tab where the list is wider than the screen. */
export function AdminTabList({ label, tabs, openId, className = 'mb-8' }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const trigger = list.current?.querySelector<HTMLElement>(`[id$="trigger-${openId}"]`)
    if (list.current && trigger) list.current.scrollLeft = trigger.offsetLeft - list.current.clientWidth / 3
  }, [openId])
  return (
    <Tabs.List ref={list} aria-label={label} className={clsx('admin-tabs', className)}>
      {tabs.map((tab) => (
        <Tabs.Trigger key={tab.id} value={tab.id} className="admin-tab font-label">
          {tab.label}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  )
}
