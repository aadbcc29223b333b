import { toastOn } from './expectations'
import { expect, test } from './fixtures'
import { getJson, open } from './home'
import { openEmailTo } from './mailbox'

const SUBSCRIBER = 'list-reader@mail.example'

test('confirms, leaves and rejoins the newsletter @phone', async ({ page }) => {
  await open(page)
  const signup = page.getByRole('region', { name: 'First to know' })
  await signup.getByRole('textbox', { name: 'Email' }).fill(SUBSCRIBER)
  await signup.getByRole('button', { name: 'Subscribe' }).click()
  await expect(toastOn(page)).toContainText('Check your inbox to confirm.')

  // The sandboxed frame opens links in the top window.
  const { frame } = await openEmailTo(page, SUBSCRIBER, /Confirm your subscription/)
  await frame.getByRole('link', { name: 'Confirm my subscription' }).click()
  await expect(page).toHaveURL(/\/newsletter\/confirm\?token=/)
  await page.getByRole('button', { name: 'Confirm my subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible()

  const { envelope, frame: welcome } = await openEmailTo(page, SUBSCRIBER, /Welcome to the/)
  await envelope.getByRole('tab', { name: 'Source' }).click()
  await expect(envelope.getByRole('tabpanel')).toContainText('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  await envelope.getByRole('tab', { name: 'HTML' }).click()
  await welcome.getByRole('link', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('l…@mail.example')).toBeVisible()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe again' }).click()
  await page.getByRole('textbox', { name: 'Your city' }).fill('Tampa')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toastOn(page)).toContainText('Your city is Tampa.')

  await page.setViewportSize({ width: 320, height: 640 })
  const emails = await getJson<{ id: string; to: string }[]>(page, '/api/demo/outbox')
  const subscriberEmails = emails.filter(({ to }) => to === SUBSCRIBER)
  expect(subscriberEmails.length).toBeGreaterThanOrEqual(2)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const { id } of subscriberEmails) {
      await page.goto(`/api/demo/mail/${id}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      const background = colorScheme === 'dark' ? 'rgb(11, 10, 8)' : 'rgb(247, 242, 231)'
      await expect(page.locator('body')).toHaveCSS('background-color', background)
    }
  }
})
