import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

test('a supporter votes once and sees the counts, the bars and the points', async ({ page, baseURL, isMobile }) => {
  const name = `voter-${isMobile ? 'phone' : 'desk'}-${Date.now()}`
  const answer = await page.request.post('/api/auth/signup', {
    headers: { origin: baseURL ?? '' },
    data: { username: name, email: `${name}@example.com`, password: 'four quiet gulls over water' },
  })
  expect(answer.status()).toBe(201)
  await open(page)
  const poll = page.getByRole('region', { name: 'Community Voting' }).getByRole('article').first()
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible()
  await poll.getByRole('button').nth(1).click()
  await expectToast(page, 'Vote submitted!', '+10 points earned')
  await expect(poll.getByText('You voted for this poll')).toBeVisible()
  await expect(poll.getByRole('progressbar')).toHaveCount(await poll.getByRole('button').count())
  await expect(poll.getByRole('button').first()).toBeDisabled()
  await expect(poll.getByRole('button').first()).toHaveText(/\d \(\d+\.\d%\)$/)
  await expect(page.getByRole('banner')).toContainText(/Your points:\s*[1-9]/)
  await expectAccessible(page)
})
