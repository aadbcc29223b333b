const SCRIPT_URL = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
const BLOCKED_TEXT = 'The human check could not load. Please allow challenges.cloudflare.com and try again.'
const FAILED_TEXT = 'We could not check that you are human. Please try again.'

/** The methods of Turnstile's API that are used. */
type TurnstileScript = {
  render: (container: HTMLElement, options: Record<string, unknown>) => string
  reset: (widgetId: string) => void
  remove: (widgetId: string) => void
}

export type Widget = {
  /** Waits for a token, which is valid for one request. @throws Error if the check fails */
  takeToken: () => Promise<string>
  remove: () => void
}
type WidgetOptions = { siteKey: string; action: string; onErrorText: (text: string | null) => void }

/** Loads Turnstile's script and renders a widget. @throws Error if the script is blocked. */
export async function createWidget(
  element: HTMLElement,
  { siteKey, action, onErrorText }: WidgetOptions,
): Promise<Widget> {
  const turnstile = await loadScript()
  let pendingToken = createPendingToken()
  const id = turnstile.render(element, {
    sitekey: siteKey,
    action,
    theme: 'dark',
    size: 'flexible',
    appearance: 'interaction-only',
    callback: (value: string) => {
      onErrorText(null)
      pendingToken.resolve(value)
    },
    // Turnstile requests a new token automatically.
    'expired-callback': () => {
      pendingToken = createPendingToken()
    },
    'error-callback': () => {
      onErrorText(FAILED_TEXT)
      pendingToken.reject(new Error(FAILED_TEXT))
      pendingToken = createPendingToken()
      // Without this, Turnstile logs a warning.
      return true
    },
  })
  return {
    takeToken: async () => {
      const value = await pendingToken.promise
      pendingToken = createPendingToken()
      turnstile.reset(id)
      return value
    },
    remove: () => turnstile.remove(id),
  }
}

function createPendingToken() {
  const pendingToken = Promise.withResolvers<string>()
  // Prevents an unhandled rejection. The form handles the error when it requests a token.
  pendingToken.promise.catch(() => undefined)
  return pendingToken
}

let scriptPromise: Promise<TurnstileScript> | null = null

function loadScript(): Promise<TurnstileScript> {
  scriptPromise ??= new Promise((resolve, reject) => {
    const element = document.createElement('script')
    const fail = () => {
      scriptPromise = null
      element.remove()
      reject(new Error(BLOCKED_TEXT))
    }
    element.onload = () => {
      const { turnstile } = window as { turnstile?: TurnstileScript }
      if (turnstile) resolve(turnstile)
      else fail()
    }
    element.onerror = fail
    element.src = SCRIPT_URL
    document.head.append(element)
  })
  return scriptPromise
}
