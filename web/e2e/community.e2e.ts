import sharp from 'sharp'
import { startAdminSession } from './admin'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { getJson, openPage } from './page'
import { signUpConfirmed } from './users'

test('an admin hides a post, which reverses its points', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const name = await signUpConfirmed(page)
  await openPage(page, '/community')
  const community = page.getByRole('main')
  await community.getByLabel('Your post').fill(`<b>Gold</b> forever, ${name}: https://songs.example/x`)
  const buffer = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'goldenrod' } })
    .jpeg()
    .toBuffer()
  await community.getByLabel('Add a picture').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  const description = community.getByLabel('Description')
  await expect(description).toBeVisible()
  await community.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(community.getByText('Please say what the picture shows.')).toBeVisible()
  await expect(description).toBeFocused()
  await description.fill('A sky in gold')
  await expectAccessible(page)
  await community.getByRole('button', { name: 'Post', exact: true }).click()
  await expectToast(page, 'Posted!', '+15 points earned')
  const post = community.getByRole('article', { name: `Post by ${name}` })
  await expect(post).toContainText('<b>Gold</b> forever')
  const image = post.getByRole('img', { name: 'A sky in gold' })
  await image.scrollIntoViewIfNeeded()
  await expect
    .poll(() => image.evaluate((img: HTMLImageElement) => [img.naturalWidth > 0, img.width > 0]))
    .toEqual([true, true])
  expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['1280', '960'])
  const imageUrl = (await image.getAttribute('src')) ?? ''
  await expect(post.getByRole('link', { name: 'songs.example' })).toHaveAttribute('rel', 'nofollow ugc noreferrer')
  await post.getByRole('button', { name: `Like the post by ${name}, likes: 0` }).click()
  await expect(post.getByRole('button', { name: `Like the post by ${name}, likes: 1`, pressed: true })).toBeVisible()
  await expectAccessible(page)

  await startAdminSession(page)
  await openPage(page, '/admin/community?tab=all')
  const moderatedPost = page.getByRole('row', { name: `Post by ${name}` })
  await moderatedPost.getByRole('button', { name: 'Hide' }).click()
  await page.getByLabel('Reason').fill('Off topic')
  await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click()
  await expectToast(page, 'Post hidden')
  await expect(moderatedPost).toHaveCount(0)
  await expect.poll(async () => (await page.request.get(imageUrl)).status()).toBe(404)
  const history = await getJson<object[]>(page, '/api/points/history')
  expect(history[0]).toMatchObject({ points: -15, description: 'A post was removed: Off topic' })

  await openPage(page, '/community')
  const hiddenPosts = community.getByRole('region', { name: 'Your hidden posts' })
  await expect(hiddenPosts).toContainText('Why: Off topic')
  await expect(hiddenPosts).toContainText('<b>Gold</b> forever')
  await expectAccessible(page)
  await hiddenPosts.getByRole('button', { name: 'Dismiss the notice' }).click()
  await expect(hiddenPosts).toHaveCount(0)
})
