import type { Page } from '@playwright/test'

/** Opens the newest matching email in the demo mailbox; returns its `<details>` element and the frame with its text. */
export async function openEmailTo(page: Page, address: string, subject: RegExp) {
  await page.goto('/demo/mailbox')
  const details = page.getByRole('group').filter({ hasText: address }).filter({ hasText: subject }).first()
  await details.locator('summary').click()
  return { details, frame: details.frameLocator('iframe') }
}
