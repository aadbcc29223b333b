import { writeFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import type { AdminTrack } from '../../worker/contract/admin-content'
import { MASTER_PART_BYTES } from '../../worker/contract/masters'
import { startAdminSession } from './admin'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { audioFile } from './media-files'
import { getJson, openPage, postJson } from './page'

const NOT_PLAYABLE = /Visitors can’t play this track yet/

/** Starts an admin session and adds a track without an audio file or a release; returns its title. */
async function addTrack(page: Page): Promise<string> {
  await startAdminSession(page)
  const [{ coverUrl } = { coverUrl: '' }] = await getJson<AdminTrack[]>(page, '/api/admin/tracks')
  const title = `Master ${Date.now()}`
  const added = await postJson(page, '/api/admin/tracks', {
    title,
    artist: 'Anyone',
    durationSeconds: 60,
    coverUrl,
    coverAlt: 'A cover.',
    spotifyUrl: '',
    isTrending: false,
    isExclusive: false,
    position: 100,
    audio: null,
    releaseId: null,
  })
  expect(added.status()).toBe(201)
  return title
}

/** Opens the track's page in the dashboard; returns its main element. */
async function openTrack(page: Page, title: string): Promise<Locator> {
  await openPage(page, '/admin/music')
  await page.getByRole('link', { name: `Edit ${title}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  return page.getByRole('main')
}

/** Goes back from the track's page and deletes the track. */
async function removeTrack(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'Back to Music' }).click()
  await page.getByRole('button', { name: `Delete ${title}` }).click()
  await expectToast(page, 'Deleted', `${title} is off the site.Undo`)
}

const masterPicker = (track: Locator) => track.getByLabel('Master: choose a FLAC or WAV file')

/** Writes a WAV that is uploaded in two full parts and a short third one; returns its path. */
function writeMaster(path: string): string {
  const wav = Buffer.alloc(2 * MASTER_PART_BYTES + 1000)
  audioFile(0).buffer.copy(wav)
  writeFileSync(path, wav)
  return path
}

test(
  'a master’s upload continues after lost connections and a reload',
  { tag: ['@desktop', '@long'] },
  async ({ page, context, expectConsoleError }, testInfo) => {
    expectConsoleError(/net::ERR_(INTERNET_DISCONNECTED|BLOCKED_BY_CLIENT)/)
    const title = await addTrack(page)
    const file = writeMaster(testInfo.outputPath('master.wav'))
    const storedParts: number[] = []
    page.on('response', (response) => {
      const [, part] = /\/parts\/(\d+)$/.exec(response.url()) ?? []
      if (part && response.ok()) storedParts.push(Number(part))
    })
    // Uses DevTools, because `page.route` would take seconds to copy each part of 16 MiB.
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.enable')
    const blockParts = (...parts: number[]) =>
      devTools.send('Network.setBlockedURLs', { urls: parts.map((part) => `*/parts/${part}`) })

    await blockParts(2, 3)
    const track = await openTrack(page, title)
    await masterPicker(track).setInputFiles(file)
    await expect.poll(() => storedParts).toEqual([1])
    await context.setOffline(true)
    await expect(track.getByText('Waiting for the network or the server. The upload continues')).toBeVisible()
    await expectAccessible(page)
    await blockParts(3)
    await context.setOffline(false)
    await expect.poll(() => storedParts).toEqual([1, 2])

    page.on('dialog', (warning) => warning.accept())
    await page.reload()
    await expect(track.getByText('The upload of master.wav stopped at 99%.')).toBeVisible()
    await blockParts()
    await masterPicker(track).setInputFiles(file)
    await expect(track.getByText('master.wav, WAV, 33.6 MB')).toBeVisible()
    expect(storedParts).toEqual([1, 2, 3])
    await removeTrack(page, title)
  },
)

test('a track with only a master asks for audio', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  const title = await addTrack(page)
  const track = await openTrack(page, title)
  await masterPicker(track).setInputFiles(audioFile(1, 'master.wav'))
  await expect(track.getByText(NOT_PLAYABLE)).toBeVisible()
  await expectAccessible(page)
  const picker = page.waitForEvent('filechooser')
  await track.getByRole('button', { name: 'Choose an MP3 or M4A' }).click()
  await (await picker).setFiles(audioFile(2))
  await expect(track.getByLabel('Length in seconds')).toHaveValue('2')
  await track.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved', 'It is on the site.')
  await expect(track.getByText('master.wav, WAV')).toBeVisible()
  await expect(track.getByText(NOT_PLAYABLE)).toBeHidden()
  await removeTrack(page, title)
})
