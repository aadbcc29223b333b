import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { AppStatus } from './AppStatus'
import { clearOfflineTracks, getOfflineTracks, saveLikedTracks } from './liked-tracks'

const supporter = buildSupporter()
const deleteCache = vi.fn(async () => true)

beforeEach(() => {
  mockFetch({ 'GET /api/tracks': [] })
  vi.stubGlobal('caches', { open: async () => ({ keys: async () => [] }), delete: deleteCache })
})
afterEach(clearOfflineTracks)

async function renderAs(me: typeof supporter | null) {
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, me)
  await renderWithProviders(<AppStatus />, { queryClient })
  return queryClient
}

test('clears saved tracks when the supporter logs out', async () => {
  await saveLikedTracks(supporter.id, 'bronze')
  const queryClient = await renderAs(supporter)
  expect(getOfflineTracks().userId).toBe(supporter.id)
  await act(async () => void queryClient.setQueryData(sessionQuery.queryKey, null))
  await waitFor(() => expect(getOfflineTracks().userId).toBeNull())
  expect(deleteCache).toHaveBeenCalledWith('liked-tracks')
})

test.each([
  ['another supporter', { ...supporter, id: supporter.id + 1 }],
  ['a visitor', null],
])('clears saved tracks for %s', async (_, me) => {
  await saveLikedTracks(supporter.id, 'bronze')
  await renderAs(me)
  await waitFor(() => expect(getOfflineTracks().userId).toBeNull())
})

test('shows the offline notice until the device is online again', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await renderAs(null)
  expect(screen.getByRole('status').textContent).toBe('You’re offline. This page may be out of date.')
  onLine.mockReturnValue(true)
  await act(async () => void dispatchEvent(new Event('online')))
  expect(screen.getByRole('status').textContent).toBe('')
})

/** Stubs a waiting service worker; null is the version of the test's page. Returns the messages that it receives. */
function stubWaitingWorker(version: string | null) {
  class FakeMessageChannel {
    port1: { onmessage?: (event: { data: unknown }) => void } = {}
    port2 = { postMessage: (data: unknown) => queueMicrotask(() => this.port1.onmessage?.({ data })) }
  }
  vi.stubGlobal('MessageChannel', FakeMessageChannel)
  const messages: unknown[] = []
  const waiting = {
    postMessage: (message: unknown, ports: MessagePort[]) => {
      messages.push(message)
      ports[0]?.postMessage(version)
    },
  }
  const registration = Object.assign(new EventTarget(), { waiting })
  const value = Object.assign(new EventTarget(), { getRegistration: async () => registration })
  Object.defineProperty(navigator, 'serviceWorker', { value, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))
  return messages
}

test('silently activates a version that the page already runs', async () => {
  const messages = stubWaitingWorker(null)
  await renderAs(null)
  await waitFor(() => expect(messages).toEqual([{ kind: 'version' }, { kind: 'activate', ifOnlyWindow: true }]))
  expect(screen.queryByText('A new version is ready')).toBeNull()
})

test('Reload activates a new version even with other tabs open', async () => {
  const messages = stubWaitingWorker('/assets/main-next.js')
  await renderAs(null)
  fireEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  expect(messages).toEqual([{ kind: 'version' }, { kind: 'activate' }])
})
