import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useHydrated } from './useHydrated'

// Without `act`, React schedules its work as in a browser.
beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterEach(() => vi.unstubAllGlobals())

test('turns true in a later task than hydration', async () => {
  const renders: boolean[] = []
  const hydrated = Promise.withResolvers<boolean[]>()
  function Probe() {
    const isHydrated = useHydrated()
    renders.push(isHydrated)
    useEffect(() => queueMicrotask(() => hydrated.resolve([...renders])), [])
    return <p>{String(isHydrated)}</p>
  }
  const root = document.createElement('div')
  root.innerHTML = renderToString(<Probe />)
  renders.length = 0
  const app = hydrateRoot(root, <Probe />)
  expect(await hydrated.promise).toEqual([false])
  await vi.waitFor(() => expect(root.textContent).toBe('true'))
  expect(renders).toEqual([false, true])
  app.unmount()
})
