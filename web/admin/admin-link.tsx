import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** Navigates to a dashboard URL from an API response, with its query string. */
export function useOpenAddress() {
  const navigate = useNavigate()
  return (href: string) => void navigate({ href })
}

/** A link to a dashboard URL from an API response. */
export function AddressLink({ href, ...props }: ComponentProps<'a'> & { href: string }) {
  const open = useOpenAddress()
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(href)
  }
  return <a href={href} onClick={onClick} {...props} />
}
