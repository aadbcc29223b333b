import { useEffect, useState } from 'react'
import type { ServiceWorkerMessage } from './messages'

const sendToWorker = (worker: ServiceWorker, message: ServiceWorkerMessage, ports: MessagePort[] = []) =>
  worker.postMessage(message, ports)

function versionOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  sendToWorker(worker, { kind: 'version' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
}

/** The path of the script that this page runs. */
const pageVersion = () => {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  return script && new URL(script.src).pathname
}

/** Whether the page runs the worker's version. If so, activates the worker unless other tabs are open. */
async function activateIfCurrent(worker: ServiceWorker): Promise<boolean> {
  if ((await versionOf(worker)) !== pageVersion()) return false
  sendToWorker(worker, { kind: 'activate', ifOnlyWindow: true })
  return true
}

/** The waiting service worker of a newer version; null without one. */
export function useWaitingWorker(): ServiceWorker | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null)
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const check = async (registration: ServiceWorkerRegistration) => {
      const worker = registration.waiting
      if (worker && !(await activateIfCurrent(worker))) setWaiting(worker)
    }
    const watch = (registration: ServiceWorkerRegistration) => {
      const onChange = () => void check(registration)
      const watchInstalling = () => registration.installing?.addEventListener('statechange', onChange, { signal })
      onChange()
      watchInstalling()
      registration.addEventListener('updatefound', watchInstalling, { signal })
    }
    void navigator.serviceWorker?.getRegistration().then((registration) => {
      if (registration && !signal.aborted) watch(registration)
    })
    return () => listeners.abort()
  }, [])
  return waiting
}

/** Activates the new version, then reloads. */
export function reloadWith(worker: ServiceWorker): void {
  const reload = () => location.reload()
  // Another tab has activated this or a newer version.
  if (worker.state === 'activated' || worker.state === 'redundant') {
    reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  sendToWorker(worker, { kind: 'activate' })
}
