import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { siteConfig } from '../site/site.queries'
import { GroupError } from '../ui/FormError'
import type { Widget } from './widget'

export type Turnstile = {
  /** The widget, to be rendered inside the form. It is visible only if the visitor has to interact. */
  widget: ReactNode
  /** The token for the request's body; an empty object while Turnstile is off. @throws Error if the check fails */
  getToken: () => Promise<{ turnstileToken?: string }>
}

/**
 * A Turnstile widget for one form; `action` is checked by the worker. The script loads on the first interaction with
 * the form.
 */
export function useTurnstile(action: string): Turnstile {
  // Not fetched here, because the layout of every page fetches it.
  const siteKey = useQuery({ ...siteConfig, enabled: false }).data?.turnstileSiteKey ?? null
  const container = useRef<HTMLDivElement>(null)
  const widget = useRef<Promise<Widget> | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)

  const loadWidget = (key: string, element: HTMLElement) => {
    widget.current ??= import('./widget')
      .then(({ createWidget }) => createWidget(element, { siteKey: key, action, onErrorText: setErrorText }))
      .catch((error: Error) => {
        widget.current = null
        setErrorText(error.message)
        throw error
      })
    return widget.current
  }
  // Runs after every render, because the container exists only once the site key is loaded.
  useEffect(() => {
    const form = container.current?.closest('form')
    const onFocus = () => {
      // `loadWidget` shows the error.
      if (siteKey && container.current) void loadWidget(siteKey, container.current).catch(() => undefined)
    }
    form?.addEventListener('focusin', onFocus)
    return () => form?.removeEventListener('focusin', onFocus)
  })
  useEffect(() => () => void widget.current?.then(({ remove }) => remove()).catch(() => undefined), [])

  return {
    widget: siteKey && (
      <div>
        <div ref={container} />
        {errorText && <GroupError>{errorText}</GroupError>}
      </div>
    ),
    getToken: async () => {
      if (!siteKey || !container.current) return {}
      const { takeToken } = await loadWidget(siteKey, container.current)
      return { turnstileToken: await takeToken() }
    },
  }
}
