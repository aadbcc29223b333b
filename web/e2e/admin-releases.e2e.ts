import { openScreen, uploadPhoto } from './admin'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { audioFile, SMALL_PHOTO } from './media-files'

const DAY_MS = 86_400_000

test('schedules a release with timed lyrics; it is not public', { tag: ['@desktop', '@long'] }, async ({
  page,
  request,
}) => {
  const title = `Record ${Date.now()}`
  const song = `Song of ${title}`
  await openScreen(page, 'music')
  await page.getByRole('link', { name: 'Add a release' }).click()
  await page.getByLabel('Title', { exact: true }).fill(title)
  await expect(page.getByLabel('Artist')).not.toHaveValue('')
  await page.getByLabel('Kind').selectOption('EP')
  // The locale en-CA formats dates as YYYY-MM-DD.
  const tomorrow = new Date(Date.now() + DAY_MS).toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
  await page.getByLabel('Date').fill(tomorrow)
  await page.getByLabel('Time', { exact: true }).fill('00:00')
  await uploadPhoto(page.locator('main'), 'Cover', SMALL_PHOTO)
  await page.getByLabel('Cover description').fill('A gradient.')

  const tracks = page.getByRole('group', { name: 'Tracks' })
  await tracks.getByLabel('Existing track').selectOption({ index: 1 })
  await tracks.getByRole('button', { name: 'Add', exact: true }).click()
  await tracks.getByRole('button', { name: 'Add a new track' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new track' })
  await dialog.getByLabel('Title').fill(song)
  await dialog.getByLabel('Artist').fill('Somebody')
  await dialog.getByLabel('Recording: choose a recording').setInputFiles(audioFile(20))
  await expect(dialog.getByLabel('Length in seconds')).toHaveValue('20')
  await uploadPhoto(dialog, 'Cover', SMALL_PHOTO)
  await dialog.getByLabel('Cover description').fill('A gradient.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await tracks.getByRole('link', { name: `Edit ${song}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: song })).toBeVisible()
  const trackPage = page.getByRole('main')
  await trackPage.getByLabel('Lyrics', { exact: true }).fill('One\nTwo')
  await trackPage.getByRole('button', { name: 'Time the lines' }).click()
  await expect
    .poll(() => trackPage.getByLabel('The recording').evaluate((audio: HTMLAudioElement) => Math.round(audio.duration)))
    .toBe(20)
  await trackPage.getByRole('button', { name: 'Mark this line' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(trackPage.getByText('2 of 2 lines timed')).toBeVisible()
  await expectAccessible(page)
  await trackPage.getByRole('button', { name: 'Use these times' }).click()
  await expect(trackPage.getByLabel('Lyrics', { exact: true })).toHaveValue('[00:00.00]One\n[00:00.00]Two')
  await trackPage.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved', 'It is on the site.')
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Draft restored' })).toBeVisible()

  const handle = tracks.getByRole('button', { name: `Move ${song}`, exact: true })
  await handle.focus()
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowUp']) {
    await page.keyboard.press(key)
    await expect(handle).toBeFocused()
  }
  await expect(tracks.getByRole('listitem').first()).toContainText(song)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  const day = new Date(`${tomorrow}T12:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium' })
  await expectToast(page, 'Saved', `It comes out ${day}, 12:00 AM.`)
  await expect(page).toHaveURL(/\/admin\/releases\/release_/)

  const slug = title.toLowerCase().replace(' ', '-')
  for (const path of ['/api/releases', '/api/tracks'])
    expect(await (await request.get(path)).text()).not.toContain(title)
  for (const path of [`/api/releases/${slug}`, `/music/${slug}`]) expect((await request.get(path)).status()).toBe(404)

  await page.getByRole('link', { name: 'Back to Music' }).click()
  const row = page.getByRole('row').filter({ hasText: title }).first()
  await expect(row).toContainText('EP')
  await expect(row).toContainText('Scheduled')
  await page.getByRole('button', { name: `Delete the release ${title}` }).click()
  await expectToast(page, 'Deleted', `${title} is off the site.Undo`)
  await page.getByRole('button', { name: `Delete ${song}` }).click()
  await expectToast(page, 'Deleted', `${song} is off the site.Undo`)
})
