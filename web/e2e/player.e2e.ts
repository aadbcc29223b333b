import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectNewPage } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

const music = (page: Page) => page.getByRole('region', { name: 'Latest Releases' })
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
/** Playback position in seconds, which the seek slider of a part of the page shows. */
const playhead = (part: Locator) => part.getByRole('slider', { name: 'Seek' }).inputValue().then(Number)

test('plays audio from R2 and reports a stream once', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page)
  const audioResponse = page.waitForResponse('**/api/tracks/1/audio')
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  // The player's code loads with the first click and adds the element.
  await page.locator('audio').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    // The report is due after 30 seconds of the track, not of real time.
    const audio = document.querySelector('audio')
    if (audio) audio.defaultPlaybackRate = audio.playbackRate = 4
    // Recorded in the page when the report is sent, because the test might read the playhead seconds later.
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
  const report = page.waitForResponse('**/api/tracks/stream', { timeout: 60_000 })
  expect((await audioResponse).status()).toBe(206)
  expect((await audioResponse).headers()['content-type']).toBe('audio/mpeg')

  const volume = music(page).getByRole('slider', { name: 'Volume' })
  await volume.press('ArrowLeft')
  await expect(volume).toHaveAttribute('aria-valuetext', '95%')
  await music(page).getByRole('button', { name: 'Mute' }).click()
  await expect
    .poll(() => page.locator('audio').evaluate(({ volume, muted }: HTMLAudioElement) => [volume, muted]))
    .toEqual([expect.closeTo(0.95), true])

  expect((await report).status()).toBe(202)
  expect(await page.evaluate(() => (window as { playhead?: number }).playhead)).toBeGreaterThanOrEqual(30)
  await expect(page.getByText('Stream tracked for analytics and monetization insights')).toBeVisible()
  const play = page.getByRole('button', { name: 'Play Gilt Tide' })
  await page.getByRole('button', { name: 'Pause Gilt Tide' }).press('Space')
  await expect(play).toBeFocused()
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true)
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

test('a tapped track plays in place at the set volume', { tag: '@phone' }, async ({ page }) => {
  await openPage(page)
  await page.getByRole('slider', { name: 'Volume' }).press('Home')
  const trackList = page.getByRole('list', { name: 'All tracks' })
  await expect(trackList.getByRole('button', { name: / plays$/ })).toHaveCount(6)
  const tile = trackList.getByRole('button', { name: /^Skyway at Dusk/ })
  await tile.scrollIntoViewIfNeeded()
  const top = await page.evaluate(() => scrollY)
  const response = page.waitForResponse('**/api/tracks/2/audio')
  await tile.click()
  expect((await response).status()).toBe(206)
  await expect(tile).toBeFocused()
  await expect(page.getByRole('button', { name: 'Pause Skyway at Dusk' })).toBeVisible()
  await expect(trackList.locator('[aria-current="true"]')).toHaveText(/Skyway at Dusk/)
  expect(Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(100)
  await expect(music(page).getByRole('slider', { name: 'Volume' })).toHaveValue('0')
  await expect(page.getByText('TRENDING')).toHaveCount(0)
})

test('music continues across pages; the queue survives a reload', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openPage(page)
  await expect(bar(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Privacy Policy' }).first().click()
  await expect(page).toHaveURL(/privacy-policy/)
  const before = await playhead(bar(page))
  await expect.poll(() => playhead(bar(page)), 'the playhead on another page').toBeGreaterThan(before)
  await expectAccessible(page)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Space')
  await expect(bar(page).getByRole('button', { name: 'Play' })).toBeVisible()
  const pausedAt = await playhead(bar(page))
  await page.reload()
  await expect(bar(page).getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await playhead(bar(page))).toBe(pausedAt)
  await bar(page).getByRole('button', { name: 'Queue' }).click()
  await expectAccessible(page, '[role=dialog]')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Skyway at Dusk/ })
    .click()
  await page.keyboard.press('Escape')
  await expect(bar(page).getByRole('button', { name: 'Queue' })).toBeFocused()
  await expect(bar(page)).toContainText('Skyway at Dusk')
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThan(0)
})

/** Records playback events once audio is buffered; returns a function that reads them. A reload would lose them. */
async function recordPlayback(page: Page) {
  const secondsAhead = () =>
    page.evaluate(() => {
      const playing = [...document.querySelectorAll('audio')].find(({ paused }) => !paused)
      const ranges = playing?.buffered
      return playing && ranges && ranges.length > 0 ? ranges.end(ranges.length - 1) - playing.currentTime : 0
    })
  await expect.poll(secondsAhead, 'the seconds of loaded sound').toBeGreaterThan(5)
  const eventsHandle = await page.evaluateHandle(() => {
    const events = { audio: new Set<EventTarget | null>(), times: [] as number[], breaks: [] as string[] }
    const listen = (type: string, handle: (audio: HTMLAudioElement) => void) =>
      document.addEventListener(
        type,
        ({ target }) => {
          if (!(target instanceof HTMLAudioElement)) return
          events.audio.add(target)
          handle(target)
        },
        true,
      )
    listen('timeupdate', ({ currentTime, paused }) => {
      events.times.push(currentTime)
      if (paused) events.breaks.push('paused')
    })
    for (const type of ['pause', 'waiting', 'emptied', 'seeking', 'ended', 'error'])
      listen(type, () => events.breaks.push(type))
    return events
  })
  return () =>
    eventsHandle.evaluate(({ audio, times, breaks }) => ({
      breaks,
      elements: audio.size,
      updates: times.length,
      jumpsBack: times.some((time, index) => index > 0 && time < (times[index - 1] ?? 0)),
    }))
}

test('an album plays without a break across pages', { tag: '@phone' }, async ({ page }) => {
  const content = page.locator('#content')
  const expectArrived = async (path: string | RegExp, heading: string | RegExp) => {
    await expect(page).toHaveURL(path)
    await expect(content.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  }
  await openPage(page)
  await page
    .getByRole('list', { name: 'All tracks' })
    .getByRole('button', { name: /^Skyway at Dusk/ })
    .click()
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThan(0)
  const readPlayback = await recordPlayback(page)

  await bar(page).getByRole('link', { name: 'Skyway at Dusk' }).click()
  await expectArrived('/music/causeway-season/skyway-at-dusk', 'Skyway at Dusk')
  await content.getByRole('heading', { name: 'Lyrics' }).scrollIntoViewIfNeeded()
  await page.getByRole('banner').getByRole('link').first().click()
  await content.getByRole('link', { name: 'All merch' }).click()
  await expectArrived('/merch', 'Merch')
  await content.getByRole('link', { name: /Gold Nose Clip/ }).click()
  await expectArrived('/merch/gold-nose-clip', 'Gold Nose Clip')
  await page.getByRole('banner').getByRole('link').first().click()
  await content.getByRole('link', { name: 'All shows' }).click()
  await expectArrived('/shows', 'Shows')
  await content.getByRole('link', { name: 'Brickyard Ballroom' }).first().click()
  await expectArrived(/\/shows\/brickyard-ballroom/, 'Brickyard Ballroom')
  await page.goBack()
  await expectArrived('/shows', 'Shows')
  await page.goForward()
  await expectArrived(/\/shows\/brickyard-ballroom/, 'Brickyard Ballroom')

  const before = await playhead(bar(page))
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThan(before)
  const { updates, ...sound } = await readPlayback()
  expect(sound).toEqual({ breaks: [], elements: 1, jumpsBack: false })
  expect(updates).toBeGreaterThan(5)
  await bar(page).getByRole('slider', { name: 'Seek' }).press('End')
  await expect(bar(page).getByRole('link', { name: 'Seventh Avenue Slow' })).toBeVisible()
})

test('the page keeps its width and bottom bar while playing', { tag: '@phone' }, async ({ page }) => {
  const bottomBar = page.getByRole('navigation', { name: 'Quick navigation' })
  const readLayout = async () => {
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, visualViewport?.width, innerWidth])
    const box = await bottomBar.boundingBox()
    return { widths, bottom: box && box.y + box.height }
  }
  const expectedLayout = { widths: [390, 390, 390], bottom: 844 }
  await openPage(page)
  expect(await readLayout()).toEqual(expectedLayout)
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThan(0)
  expect(await readLayout(), 'home').toEqual(expectedLayout)
  await bar(page).getByRole('link', { name: 'Gilt Tide' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Gilt Tide' })).toBeVisible()
  await expect(page.locator('.sleeve-spinning')).toBeVisible()
  expect(await readLayout(), 'track page').toEqual(expectedLayout)
  await expectAccessible(page)
  await page.getByRole('banner').getByRole('link').first().click()
  await page.getByRole('link', { name: 'GET TICKETS' }).click()
  await expect(page).toHaveURL('/shows')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await readLayout(), 'shows').toEqual(expectedLayout)
  await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
})

test('plays from a linked position; the sleep timer stops it', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page, '/music/gilt-tide/gilt-tide?t=23')
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Gilt Tide' })
  await dialog.getByLabel('Start time').fill('0:20')
  await expect(dialog.getByLabel('Link')).toHaveValue(/\/music\/gilt-tide\/gilt-tide\?t=20$/)
  await expect(dialog.getByLabel('Embed code')).toHaveValue(/^<iframe src="[^"]+\/embed\/gilt-tide\/gilt-tide\?t=20"/)
  await expectAccessible(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused()
  await page.getByRole('button', { name: 'Play from 0:23 Gilt Tide' }).click()
  await expect.poll(() => playhead(bar(page)), 'the playhead').toBeGreaterThanOrEqual(23)
  await bar(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('radio', { name: 'Stop at the end of this track' }).check()
  await expectAccessible(page, '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(bar(page).getByRole('status')).toHaveText('Stops after this track')
  await page.getByRole('article').getByRole('link', { name: 'Gilt Tide' }).first().click()
  await expect(page).toHaveURL('/music/gilt-tide')
  await bar(page).getByRole('slider', { name: 'Seek' }).press('End')
  await expect(bar(page).getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(bar(page).getByRole('status')).toHaveText('Tavi Solaire')
})

test('play also opens the Spotify link', { tag: ['@desktop', '@long'] }, async ({ page, externalRequests: _ }) => {
  await page.route('/api/tracks', async (route) => {
    const tracks = await (await route.fetch()).json()
    await route.fulfill({ json: [{ ...tracks[0], spotifyUrl: 'https://open.spotify.com/track/one' }] })
  })
  await openPage(page)
  const play = page.getByRole('button', { name: 'Play Gilt Tide' })
  await expectNewPage(page, play, 'https://open.spotify.com/track/one')
  await expect.poll(() => playhead(music(page)), 'the playhead').toBeGreaterThan(0)
})
