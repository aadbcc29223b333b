import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** Returns a function that navigates to a dashboard URL from an API response, with its query string. */
export function useOpenDashboardUrl() {
  const navigate = useNavigate()
  return (href: string) => void navigate({ href })
}

/** A link to a dashboard URL from an API response. */
export function DashboardLink({ href, ...props }: ComponentProps<'a'> & { href: string }) {
  const open = useOpenDashboardUrl()
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(href)
  }
  return <a href={href} onClick={onClick} {...props} />
}
