import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listenOnLoopback } from '../../scripts/tools/ports'
import { openScreen } from './admin'
import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

/** Starts a local server that records the requests it receives. */
async function startReceiver() {
  const received: { body: string; headers: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers as Record<string, string> })
    response.writeHead(204).end()
  })
  const { url, close } = await listenOnLoopback(server)
  return { received, url: `${url}/in`, close }
}

test('an owner revokes a token and resends a webhook delivery', {
  tag: ['@desktop', '@axe'],
}, async ({ page, request }) => {
  await openScreen(page, 'developers')
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Box office')
  await page.getByRole('button', { name: 'Create the token' }).click()
  await expect(page.getByText('Please choose at least one permission.')).toBeVisible()
  await page.getByLabel('Read metrics and sales').check()
  await page.getByRole('button', { name: 'Create the token' }).click()
  const token = (await page.locator('code').filter({ hasText: 'ahpat_' }).textContent()) ?? ''
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  const headers = { authorization: `Bearer ${token}` }
  expect((await request.get('/api/admin/overview', { headers })).status()).toBe(200)
  expect((await request.get('/api/admin/orders', { headers })).headers()['x-error-code']).toBe('scope_required')
  await page.getByRole('button', { name: 'Revoke Box office' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expectToast(page, 'Revoked', 'Box office no longer works.')
  expect((await request.get('/api/admin/overview', { headers })).status()).toBe(401)

  const receiver = await startReceiver()
  await page.getByRole('link', { name: 'Add a webhook' }).click()
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('An order is paid').check()
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  const secret = (await page.locator('code').filter({ hasText: 'whsec_' }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect(page.getByText('Delivered', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send again: test' }).click()
  await expect.poll(() => receiver.received.length).toBe(2)
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({ type: 'test' })
  await expectAccessibleInLongRun(page)
  receiver.close()
})

test('developers read the guide and the reference', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page, '/developers')
  await expect(page.getByRole('heading', { name: 'Developers', level: 1 })).toBeVisible()
  await page
    .locator('summary')
    .filter({ hasText: /^Concerts/ })
    .click()
  await expect(page.getByText('/api/concerts/upcoming', { exact: true })).toBeVisible()
  await expectAccessible(page)
})
