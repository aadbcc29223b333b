import sharp from 'sharp'
import { openForm, openFormPage, openScreen, uploadPhoto } from './admin'
import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { audioFile, SMALL_PHOTO } from './media-files'
import { openPage } from './page'

test('publishes a track with uploaded cover and audio', async ({ page, request }) => {
  const title = `Uploaded ${Date.now()}`
  await openScreen(page, 'music')
  const form = await openFormPage(page, 'Music', 'Add a track')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Artist').fill('Somebody')
  await form.getByLabel('Recording: choose a recording').setInputFiles(audioFile(65))
  await expect(form.getByText('take.wav')).toBeVisible()
  await expect(form.getByLabel('Length in seconds')).toHaveValue('65')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('The cover is required.')).toBeVisible()
  await form
    .getByLabel('Cover: choose a picture')
    .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await expect(form.getByText('This browser cannot read that picture.')).toBeVisible()
  const cover = await uploadPhoto(form, 'Cover')
  await form.getByLabel('Cover description').fill('A gradient.')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved', 'It is on the site.')

  // Image variants have the right size and rotation, and no metadata.
  for (const [width, path] of [
    [1200, cover],
    [640, `${cover}@640`],
    [32, `${cover}@32`],
  ] as const) {
    const response = await request.get(path)
    const { exif, icc, ...metadata } = await sharp(await response.body()).metadata()
    expect([response.headers()['content-type'], metadata.width, metadata.height, exif, icc]).toEqual([
      'image/webp',
      width,
      width,
      undefined,
      undefined,
    ])
  }
  const tracks: { id: number; title: string; hasAudio: boolean }[] = await (await request.get('/api/tracks')).json()
  const track = tracks.find((row) => row.title === title)
  expect(track?.hasAudio).toBe(true)
  const audio = await request.get(`/api/tracks/${track?.id}/audio`, { headers: { range: 'bytes=0-43' } })
  expect([audio.status(), audio.headers()['content-type']]).toEqual([206, 'audio/wav'])
  await openPage(page, '/#music')
  await expect(page.getByText(title).first()).toBeVisible()

  // Cleans up, because later tests expect only the demo's tracks.
  await openPage(page, '/admin/music')
  await page.getByRole('button', { name: `Delete ${title}` }).click()
  await expectToast(page, 'Deleted', `${title} is off the site.Undo`)
  await page.getByRole('button', { name: `Delete the release ${title}` }).click()
  await expectToast(page, 'Deleted', `${title} is off the site.Undo`)
})

test('publishes a product with a price and ordered images', { tag: '@axe' }, async ({ page, request }) => {
  const name = `Drop ${Date.now()}`
  await openScreen(page, 'merch')
  const dialog = await openForm(page, 'Merchandise', 'Add a product')
  await dialog.getByLabel('Name').fill(name)
  await expect(dialog.frameLocator('iframe[title=Preview]').getByText(name)).toBeVisible()
  await dialog.getByLabel('Price').fill('19,99')
  await dialog.getByLabel('Stock').fill('7')
  await expect(dialog.getByText('The price must be an amount like 19.99.')).toBeVisible()
  await dialog.getByLabel('Price').fill('24.5')
  // Escape must not discard typed text.
  await page.keyboard.press('Escape')
  const confirmDialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expectAccessibleInLongRun(page)
  await confirmDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirmDialog).toBeHidden()
  await expect(dialog.getByLabel('Name')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Add a picture' }).click()
  const first = await uploadPhoto(dialog, 'Picture 1', SMALL_PHOTO)
  await dialog.getByLabel('Picture description').fill('The front.')
  await dialog.getByRole('button', { name: 'Add a picture' }).click()
  const second = await uploadPhoto(dialog, 'Picture 2')
  const secondField = dialog.getByRole('group', { name: 'Picture 2', exact: true })
  await secondField.getByRole('button', { name: 'Picture 2: change the crop' }).click()
  await secondField.getByLabel('Zoom').fill('2')
  await secondField.getByLabel('Left to right').press('Home')
  await expectAccessibleInLongRun(page)
  await secondField.getByRole('button', { name: 'Use this crop' }).click()
  await expect(secondField.locator('img')).not.toHaveAttribute('src', new RegExp(second.replace(/\.\w+$/, '')))
  const cropped = ((await secondField.locator('img').getAttribute('src')) ?? '').replace('@320', '')
  await dialog.getByLabel('Picture description').nth(1).fill('The back.')
  await dialog.getByRole('button', { name: 'Picture 2: earlier' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Saved', 'It is on the site.')
  const products: { name: string; priceCents: number; images: unknown }[] = await (
    await request.get('/api/products')
  ).json()
  expect(products.find((product) => product.name === name)).toMatchObject({
    priceCents: 2450,
    images: [
      { url: cropped, alt: 'The back.' },
      { url: first, alt: 'The front.' },
    ],
  })
  // A form without changes closes without confirmation.
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue(name)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await expectToast(page, 'Deleted', `${name} is off the site.Undo`)
})
