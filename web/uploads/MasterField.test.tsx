import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MASTER_PART_BYTES } from '../../worker/contract/masters'
import { errorResponse, type MockResponses, mockFetch, noContent, renderWithProviders } from '../testing/render'
import { MasterField } from './MasterField'
import { stopMasterUpload } from './master-upload-store'

const NO_MASTER = { master: null, upload: null }
const MASTER = {
  fileName: 'song.flac',
  contentType: 'audio/flac',
  sizeBytes: 50 * 1024 * 1024,
  storedAt: '2026-07-01T16:00:00.000Z',
}
const PART_PATH = '/api/admin/master-uploads/m1/parts/'

/** Status of a mocked request that sends nothing and gets no response. */
const NO_RESPONSE = -1
/**
 * Stubs the requests that send parts. `statuses`: a part's responses in order (0: the network fails), then 204. With
 * `hangs`, requests send half of their bytes and get no response. Returns the path and size of each request.
 */
function mockParts({ statuses = {}, hangs = false }: { statuses?: Record<string, number[]>; hangs?: boolean } = {}) {
  const sent: string[] = []
  class FakeRequest {
    upload: { onprogress?: (event: unknown) => void } = {}
    status = 0
    responseText = ''
    statusText = 'Failed'
    path = ''
    onload = () => {}
    onerror = () => {}
    onabort = () => {}
    open(_: string, path: string) {
      this.path = path
    }
    setRequestHeader() {}
    getResponseHeader = () => 'bad_input'
    abort() {
      this.onabort()
    }
    send(bytes: Blob) {
      sent.push(`${this.path} ${bytes.size}`)
      this.status = statuses[this.path.slice(PART_PATH.length)]?.shift() ?? 204
      if (this.status === NO_RESPONSE) return
      this.upload.onprogress?.({ loaded: bytes.size / 2, total: bytes.size })
      if (hangs) return
      queueMicrotask(() => (this.status === 0 ? this.onerror() : this.onload()))
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return sent
}

const flacFile = (size = 2 * MASTER_PART_BYTES + 1000) => {
  const bytes = new Uint8Array(size)
  bytes.set(new TextEncoder().encode('fLaC'))
  return new File([bytes], 'song.flac', { type: 'audio/flac', lastModified: 1 })
}
const chooseFile = (file: File) =>
  fireEvent.change(screen.getByLabelText('Master: choose a FLAC or WAV file'), { target: { files: [file] } })
async function renderField(responses: MockResponses = {}, hasAudio = true) {
  const { sent } = mockFetch({
    'GET /api/admin/tracks/1/master': NO_MASTER,
    'POST /api/admin/tracks/1/master-uploads': { id: 'm1', receivedParts: [] },
    'POST /api/admin/master-uploads/m1/complete': MASTER,
    'DELETE /api/admin/master-uploads/m1': noContent,
    ...responses,
  })
  await renderWithProviders(
    <>
      <input id="audio-picker" type="file" aria-label="Recording" />
      <MasterField trackId="1" trackTitle="Low Tide" hasAudio={hasAudio} audioPickerId="audio-picker" />
    </>,
  )
  await screen.findByLabelText('Master: choose a FLAC or WAV file')
  return { sent }
}
const countCompletions = (sent: string[]) => sent.filter((request) => request.endsWith('/complete')).length

afterEach(() => {
  stopMasterUpload('1')
  vi.useRealTimers()
})

test('sends the missing parts and shows the stored master', async () => {
  const parts = mockParts()
  let isStored = false
  const { sent } = await renderField({
    'GET /api/admin/tracks/1/master': () => Response.json(isStored ? { ...NO_MASTER, master: MASTER } : NO_MASTER),
    'POST /api/admin/tracks/1/master-uploads': { id: 'm1', receivedParts: [2] },
    'POST /api/admin/master-uploads/m1/complete': () => {
      isStored = true
      return Response.json(MASTER)
    },
  })
  chooseFile(flacFile())
  expect(await screen.findByText('song.flac, FLAC, 52.4 MB, uploaded Jul 1, 2026')).toBeDefined()
  expect(parts).toEqual([`${PART_PATH}1 ${MASTER_PART_BYTES}`, `${PART_PATH}3 1000`])
  const [startRequest = ''] = sent.filter((request) => request.includes('fingerprint'))
  expect(JSON.parse(startRequest.slice(startRequest.indexOf('{')))).toEqual({
    fileName: 'song.flac',
    sizeBytes: 2 * MASTER_PART_BYTES + 1000,
    contentType: 'audio/flac',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(screen.getByRole('link', { name: 'Download the master' }).getAttribute('href')).toBe(
    '/api/admin/tracks/1/master/file',
  )
})

test('repeats a part after a network failure', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const parts = mockParts({ statuses: { 1: [0, 503] } })
  const { sent } = await renderField()
  chooseFile(flacFile(1000))
  expect(await screen.findByText(/Waiting for the network/)).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  await waitFor(() => expect(countCompletions(sent)).toBe(1))
  expect(parts).toHaveLength(3)
})

test('repeats the start after a network failure', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  mockParts()
  let starts = 0
  const { sent } = await renderField({
    'POST /api/admin/tracks/1/master-uploads': () => {
      starts += 1
      if (starts === 1) throw new TypeError('Failed to fetch')
      return Response.json({ id: 'm1', receivedParts: [] })
    },
  })
  chooseFile(flacFile(1000))
  expect(await screen.findByText(/Waiting for the network/)).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(5000))
  await waitFor(() => expect(countCompletions(sent)).toBe(1))
})

test('says that it waits while a repeated part stalls', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const parts = mockParts({ statuses: { 1: [0, NO_RESPONSE] } })
  await renderField()
  chooseFile(flacFile(1000))
  await screen.findByText(/Waiting for the network/)
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(parts).toHaveLength(2)
  expect(screen.getByText(/Waiting for the network/)).toBeDefined()
})

test('shows the server’s reason and sends no more', async () => {
  mockParts({ statuses: { 1: [400] } })
  const { sent } = await renderField()
  chooseFile(flacFile(1000))
  expect((await screen.findByRole('alert')).textContent).toBe('Failed')
  expect(countCompletions(sent)).toBe(0)
})

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)
const fileNamedFlac = (content: BlobPart) => new File([content], 'song.flac', { type: 'audio/flac' })
const fileNamedWav = (content: BlobPart) => new File([content], 'song.wav', { type: 'audio/wav' })
const flacOfSize = (sizeBytes: number) => Object.defineProperty(flacFile(1000), 'size', { value: sizeBytes })
const notAMasterMessage = (kind: string) =>
  `This file is not FLAC or WAV: it begins like ${kind}. Please choose the FLAC or WAV file.`

test.each([
  ['an MP3', fileNamedFlac('ID3 and so on, and on'), notAMasterMessage('an MP3')],
  ['a text file', fileNamedWav('These are the notes of the session.'), notAMasterMessage('a text file')],
  ['a PNG', fileNamedFlac(PNG_SIGNATURE), notAMasterMessage('a picture')],
  ['a file one byte over 2 GiB', flacOfSize(2 ** 31 + 1), 'A master can be up to 2 GB. Please choose a smaller file.'],
])('rejects %s before sending anything', async (_, file, message) => {
  const parts = mockParts()
  const { sent } = await renderField()
  chooseFile(file)
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect([parts, sent]).toEqual([[], ['GET /api/admin/tracks/1/master', 'GET /api/admin/tracks/1/master']])
})

test('cancels a running upload on the server', async () => {
  mockParts({ hangs: true })
  const { sent } = await renderField()
  chooseFile(flacFile(1000))
  const progress = await screen.findByRole('progressbar', { name: 'Sending: song.flac' })
  await waitFor(() => expect(progress.getAttribute('value')).toBe('50'))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(sent).toContain('DELETE /api/admin/master-uploads/m1'))
  expect(await screen.findByText('No master yet.')).toBeDefined()
})

test('offers to choose audio if there is only a master', async () => {
  const stored = { 'GET /api/admin/tracks/1/master': { ...NO_MASTER, master: MASTER } }
  await renderField(stored, false)
  expect(await screen.findByText(/Visitors can’t play this track yet/)).toBeDefined()
  const picker = screen.getByLabelText('Recording')
  const onClick = vi.fn()
  picker.addEventListener('click', onClick)
  fireEvent.click(screen.getByRole('button', { name: 'Choose an MP3 or M4A' }))
  expect([document.activeElement, onClick.mock.calls.length]).toEqual([picker, 1])
})

test.each([
  ['a recording', { ...NO_MASTER, master: MASTER }, true],
  ['no master', NO_MASTER, false],
] as const)('shows no notice for a track with %s', async (_, state, hasAudio) => {
  await renderField({ 'GET /api/admin/tracks/1/master': state }, hasAudio)
  expect(await screen.findByText(state.master ? /song.flac, FLAC/ : 'No master yet.')).toBeDefined()
  expect(screen.queryByText(/can’t play/)).toBeNull()
})

test('offers to continue or discard an unfinished upload', async () => {
  const upload = { id: 'm1', fileName: 'song.flac', sizeBytes: 1000, receivedBytes: 405 }
  const { sent } = await renderField({ 'GET /api/admin/tracks/1/master': { master: null, upload } })
  expect(await screen.findByText(/The upload of song.flac stopped at 40%/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Discard the upload' }))
  await waitFor(() => expect(sent).toContain('DELETE /api/admin/master-uploads/m1'))
})

test('sends a confirmed removal and shows its error', async () => {
  const { sent } = await renderField({
    'GET /api/admin/tracks/1/master': { ...NO_MASTER, master: MASTER },
    'DELETE /api/admin/tracks/1/master': () => errorResponse(404, 'not_found', 'This track has no master yet.'),
  })
  fireEvent.click(screen.getByRole('button', { name: 'Remove the master' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the master' }))
  await waitFor(() => expect(sent).toContain('DELETE /api/admin/tracks/1/master'))
  expect((await screen.findByRole('alert')).textContent).toBe('This track has no master yet.')
})
