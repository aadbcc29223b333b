import type { Page } from '@playwright/test'
import { expectNewPage } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

const music = (page: Page) => page.getByRole('region', { name: 'Latest Releases' })
const playheadSeconds = (page: Page) => page.getByRole('slider', { name: 'Seek' }).inputValue().then(Number)

test('the featured track shows plays and likes', { tag: '@desktop' }, async ({ page }) => {
  await open(page)
  for (const text of ['01', '6 tracks', 'TRENDING', 'Gilt Tide', 'Tavi Solaire, Single', '50K plays', '20K likes'])
    await expect(music(page)).toContainText(text)
  await expect(music(page).getByRole('slider', { name: 'Volume' })).toHaveValue('1')
})

test('plays and pauses audio from R2', async ({ page }) => {
  await open(page)
  const response = page.waitForResponse('**/api/tracks/1/audio')
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  expect((await response).status()).toBe(206)
  expect((await response).headers()['content-type']).toBe('audio/mpeg')
  await expect.poll(() => playheadSeconds(page), 'the playhead').toBeGreaterThan(1)
  const pause = page.getByRole('button', { name: 'Pause Gilt Tide' })
  await expect(pause).toBeFocused()
  await pause.press('Space')
  await expect(page.getByRole('button', { name: 'Play Gilt Tide' })).toBeVisible()
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true)
})

test('seeks and returns to the start at the end', { tag: '@desktop' }, async ({ page }) => {
  await open(page)
  const seek = page.getByRole('slider', { name: 'Seek' })
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect.poll(() => playheadSeconds(page), 'the playhead').toBeGreaterThan(0)
  await seek.press('ArrowRight')
  await expect
    .poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime))
    .toBeGreaterThan(1)
  await seek.press('End')
  await expect(page.getByRole('button', { name: 'Play Gilt Tide' })).toBeVisible()
  await expect(seek).toHaveValue('0')
  await expect(seek).toHaveAttribute('aria-valuetext', '0:00')
})

test('changes volume in steps of 0.05 and toggles mute', { tag: '@desktop' }, async ({ page }) => {
  await open(page)
  const volume = page.getByRole('slider', { name: 'Volume' })
  const mute = page.getByRole('button', { name: 'Mute' })
  const audioState = () => page.locator('audio').evaluate(({ volume, muted }: HTMLAudioElement) => ({ volume, muted }))
  await volume.press('ArrowLeft')
  await expect(volume).toHaveValue('0.95')
  await expect(volume).toHaveAttribute('aria-valuetext', '95%')
  await expect.poll(async () => (await audioState()).volume).toBeCloseTo(0.95)
  await volume.press('Home')
  await expect(volume).toHaveValue('0')
  await volume.press('ArrowRight')
  await expect(volume).toHaveValue('0.05')
  await volume.press('End')
  await volume.press('ArrowRight')
  await expect(volume).toHaveValue('1')
  await mute.click()
  await expect(mute).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await audioState()).muted).toBe(true)
  await mute.click()
  await expect(mute).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(audioState).toEqual({ volume: 1, muted: false })
})

test('reports a stream once after 30 seconds', { tag: '@desktop' }, async ({ page }) => {
  await open(page)
  await page.evaluate(() => {
    // Plays at 4x speed: the rule counts seconds of the track.
    const audio = document.querySelector('audio')
    if (audio) audio.defaultPlaybackRate = audio.playbackRate = 4
    // Records the playhead when the report is sent; reading it afterwards would be late.
    const { fetch } = window
    window.fetch = (...args) => {
      if (String(args[0] instanceof Request ? args[0].url : args[0]).endsWith('/api/tracks/stream'))
        Object.assign(window, { playhead: document.querySelector('audio')?.currentTime })
      return fetch(...args)
    }
  })
  const reports: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tracks/stream')) reports.push(request.postDataJSON())
  })
  const response = page.waitForResponse('**/api/tracks/stream', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  expect((await response).status()).toBe(202)
  expect(await page.evaluate(() => (window as { playhead?: number }).playhead)).toBeGreaterThanOrEqual(30)
  await expect(page.getByText('Stream tracked for analytics and monetization insights')).toBeVisible()
  await page.getByRole('button', { name: 'Pause Gilt Tide' }).click()
  await page.getByRole('slider', { name: 'Seek' }).press('Home')
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect.poll(() => playheadSeconds(page), 'the playhead').toBeGreaterThan(1)
  expect(reports).toEqual([
    {
      trackId: '1',
      platform: 'web',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      userAgent: await page.evaluate(() => navigator.userAgent),
      userTier: 'bronze',
    },
  ])
})

test('a failed audio load can be retried', { tag: '@desktop' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*500/)
  await page.route('**/api/tracks/1/audio', (route) => route.fulfill({ status: 500, body: 'It broke.' }), { times: 1 })
  await open(page)
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect(page.getByText('The recording could not be loaded.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => playheadSeconds(page), 'the playhead').toBeGreaterThan(0)
  await expect(page.getByText('The recording could not be loaded.')).toBeHidden()
})

test('play also opens the Spotify link', { tag: '@desktop' }, async ({ page, externalRequests: _ }) => {
  await page.route('/api/tracks', async (route) => {
    const tracks = await (await route.fetch()).json()
    await route.fulfill({ json: [{ ...tracks[0], spotifyUrl: 'https://open.spotify.com/track/one' }] })
  })
  await open(page)
  const play = page.getByRole('button', { name: 'Play Gilt Tide' })
  await expectNewPage(page, play, 'https://open.spotify.com/track/one')
  await expect.poll(() => playheadSeconds(page), 'the playhead').toBeGreaterThan(0)
})
