import { expect, expectAccessible, test } from './fixtures'

test('an unknown address is a 404 card with status 404', async ({ page, quiet: _ }) => {
  test.info().annotations.push({ type: 'note', description: 'the browser itself logs the 404 of the document' })
  const answer = await page.request.get('/no/such/page')
  expect(answer.status()).toBe(404)
  expect(await answer.text()).toContain('<div id="root">')
})

test('the privacy policy is readable by everybody', async ({ page }) => {
  await page.goto('/privacy-policy')
  await expectAccessible(page)
})
