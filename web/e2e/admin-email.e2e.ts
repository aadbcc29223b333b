import type { Locator } from '@playwright/test'
import { BROADCAST_CITY, PAST_BROADCAST, SUBSCRIBER_COUNT, subscriberEmail } from '../../scripts/tools/e2e-names'
import { openScreen } from './admin'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openEmailTo } from './mailbox'
import { openPage } from './page'

type DeliveryCounts = { sent: number; waiting: number; failed: number; unknown: number }

async function expectCounts(delivery: Locator, counts: DeliveryCounts): Promise<void> {
  for (const [label, count] of Object.entries(counts)) {
    const term = delivery.locator('dt', { hasText: new RegExp(`^${label}$`) })
    await expect(term.locator('xpath=following-sibling::dd')).toHaveText(`${count}`)
  }
}

const broadcastSubject = `News for ${BROADCAST_CITY}`

test('tests, schedules, cancels and sends a broadcast to one city', {
  tag: ['@desktop', '@long'],
}, async ({ page }) => {
  await openScreen(page, 'email')
  await page.getByRole('link', { name: 'Write a broadcast' }).click()
  await page
    .getByLabel('To', { exact: true })
    .selectOption({ label: `Subscribers in ${BROADCAST_CITY} (${SUBSCRIBER_COUNT})` })
  await page.getByLabel('Subject', { exact: true }).fill(broadcastSubject)
  await page
    .getByLabel('Text', { exact: true })
    .fill('The doors open at **eight**.\n\n- Bring a friend\n- Bring earplugs')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText(`${SUBSCRIBER_COUNT} subscribers would get it now.`)
  await expect(preview.frameLocator('iframe').locator('strong')).toHaveText('eight')

  await page.getByLabel('Test email address').fill(subscriberEmail(99))
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expectToast(page, 'Test sent', `A copy is on its way to ${subscriberEmail(99)}.`)

  await page.getByLabel('Send at').fill(`${new Date().getFullYear() + 1}-07-04T18:00`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Schedule it' }).click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await expect(delivery).toContainText('Scheduled')
  await page.getByRole('button', { name: `Unschedule ${broadcastSubject}` }).click()
  // Unscheduled, the broadcast is a draft again and shows its form.
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Send it' }).click()
  // The progress bar updates without a reload.
  await expect(delivery.getByRole('progressbar')).toHaveAttribute('aria-valuenow', `${SUBSCRIBER_COUNT}`, {
    timeout: 15_000,
  })
  await expect(delivery).toContainText('Sent')
  await expectCounts(delivery, { sent: SUBSCRIBER_COUNT, waiting: 0, failed: 0, unknown: 0 })
  await page.getByRole('link', { name: 'Back to Email' }).click()
  const broadcasts = page.getByRole('table', { name: 'Broadcasts' })
  await expect(broadcasts.getByRole('row', { name: broadcastSubject })).toContainText(
    `${SUBSCRIBER_COUNT} of ${SUBSCRIBER_COUNT}`,
  )

  await openPage(page, '/demo/mailbox')
  await expect(page.getByRole('group').filter({ hasText: `[Test] ${broadcastSubject}` })).toHaveCount(1)
  const { frame } = await openEmailTo(page, subscriberEmail(3), new RegExp(`^${broadcastSubject}`))
  await expect(frame.locator('strong')).toHaveText('eight')
  await expect(frame.getByRole('link', { name: 'Unsubscribe' })).toBeVisible()
})

test('shows failed and unknown emails and resends one', {
  tag: ['@desktop', '@long'],
}, async ({ page }) => {
  await openScreen(page, 'email')
  const broadcasts = page.getByRole('table', { name: 'Broadcasts' })
  await broadcasts.getByRole('link', { name: PAST_BROADCAST }).click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await expectCounts(delivery, { sent: 1, waiting: 0, failed: 1, unknown: 1 })
  await page.goBack()
  const search = page.getByLabel('Search by full email, subject or state')
  await search.fill(subscriberEmail(1))
  const emails = page.getByRole('table', { name: 'All emails' })
  const emailRow = emails.getByRole('row').filter({ hasText: PAST_BROADCAST })
  await expect(emailRow).toHaveCount(1)
  await expect(emailRow).toContainText('E_TRY_LATER')
  await emailRow.getByRole('button', { name: 'Send again' }).click()
  await expectToast(page, 'Email sent again')
  await broadcasts.getByRole('link', { name: PAST_BROADCAST }).click()
  await expectCounts(delivery, { sent: 2, waiting: 0, failed: 0, unknown: 1 })
  await page.goBack()
  await search.fill(subscriberEmail(2))
  await expect(emailRow).toContainText('No response.')
  await emailRow.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('dialog')).toContainText('the recipient may get a second copy')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(emailRow).toContainText('Unknown')
})
