import { toastOn } from './expectations'
import { expect, test } from './fixtures'
import { openEmailTo } from './mailbox'
import { openPage } from './page'

const SUBSCRIBER_EMAIL = 'list-reader@mail.example'

test('confirms, cancels and resumes a newsletter subscription', { tag: '@phone' }, async ({ page }) => {
  await openPage(page)
  const signup = page.getByRole('region', { name: 'First to know' })
  await signup.getByRole('textbox', { name: 'Email' }).fill(SUBSCRIBER_EMAIL)
  await signup.getByRole('button', { name: 'Subscribe' }).click()
  await expect(toastOn(page)).toContainText('Check your inbox to confirm.')

  // The sandboxed frame opens links in the top window.
  const { frame } = await openEmailTo(page, SUBSCRIBER_EMAIL, /Confirm your subscription/)
  await frame.getByRole('link', { name: 'Confirm my subscription' }).click()
  await expect(page).toHaveURL(/\/newsletter\/confirm\?token=/)
  await page.getByRole('button', { name: 'Confirm my subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible()

  const { details, frame: welcome } = await openEmailTo(page, SUBSCRIBER_EMAIL, /Welcome to the/)
  await details.getByRole('tab', { name: 'Source' }).click()
  await expect(details.getByRole('tabpanel')).toContainText('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  await details.getByRole('tab', { name: 'HTML' }).click()
  await welcome.getByRole('link', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('l…@mail.example')).toBeVisible()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe again' }).click()
  await page.getByRole('textbox', { name: 'Your city' }).fill('Tampa')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toastOn(page)).toContainText('Your city is Tampa.')
})
