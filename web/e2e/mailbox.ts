import type { Page } from '@playwright/test'

/** Opens the newest matching email in the demo mailbox; returns its element and the frame with its text. */
export async function openEmailTo(page: Page, address: string, subject: RegExp) {
  await page.goto('/demo/mailbox')
  const envelope = page.getByRole('group').filter({ hasText: address }).filter({ hasText: subject }).first()
  await envelope.locator('summary').click()
  return { envelope, frame: envelope.frameLocator('iframe') }
}
