import { afterEach, expect, test } from 'vitest'
import { type ReauthenticationRequest, requestReauthentication, setReauthenticationHandler } from './reauthentication'

afterEach(() => setReauthenticationHandler(null))

/** Returns a list that receives each dialog that is opened; tests answer a dialog with its `close`. */
function collectDialogs() {
  const dialogs: { request: ReauthenticationRequest; close: (isReauthenticated: boolean) => void }[] = []
  setReauthenticationHandler((request) => new Promise((close) => dialogs.push({ request, close })))
  return dialogs
}

test('concurrent calls of one kind share a dialog', async () => {
  const dialogs = collectDialogs()
  const results = [requestReauthentication({ kind: 'supporter' }), requestReauthentication({ kind: 'supporter' })]
  dialogs[0]?.close(true)
  expect(await Promise.all(results)).toEqual([true, true])
  expect(dialogs).toHaveLength(1)
})

test.each<ReauthenticationRequest>([
  { kind: 'administrator' },
  { kind: 'supporter', irreversibleAction: { title: 'Delete?', text: 'For good.', button: 'Delete' } },
])('another kind or an irreversible action opens its own dialog', async (request) => {
  const dialogs = collectDialogs()
  const first = requestReauthentication({ kind: 'supporter' })
  const second = requestReauthentication(request)
  dialogs[0]?.close(true)
  expect(await first).toBe(true)
  await expect.poll(() => dialogs.at(-1)?.request).toEqual(request)
  dialogs[1]?.close(false)
  expect(await second).toBe(false)
})
